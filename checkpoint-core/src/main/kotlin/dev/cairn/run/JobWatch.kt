package dev.cairn.run

import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.clock
import java.lang.System.Logger.Level.INFO
import java.lang.System.Logger.Level.WARNING
import java.time.Instant
import kotlin.time.Duration
import kotlin.time.TimeSource
import kotlin.time.toJavaDuration
import kotlin.time.toKotlinDuration

/**
 * On rank 0, the watch over the end of the job; null on other ranks, and if the job has no end.
 *
 * @throws InvalidDeclaration if the settings contradict each other, or the job has ended already
 */
internal fun Communicator.jobWatch(options: CheckpointOptions): JobWatch? {
    if (rank != ROOT) return null
    val surroundings = if (clock === TimeSource.Monotonic) JobSurroundings.ofThisProcess() else JobSurroundings.none()
    val end =
        try {
            surroundings.endOfJob(options.configuration)
        } catch (late: IllegalArgumentException) {
            throw InvalidDeclaration(Details(late.message.orEmpty(), cause = late))
        }
    return end?.let { JobWatch(it, surroundings.now, clock) }
}

/** Lets a run save and stop before its job ends. Exists on rank 0 only, whose clock decides for all ranks. */
internal class JobWatch(private val job: JobEnd, now: Instant, clock: TimeSource.WithComparableMarks) {
    private val total =
        java.time.Duration
            .between(now, job.time)
            .toKotlinDuration()
            .coerceAtLeast(Duration.ZERO)
    private val end = clock.markNow() + total
    private val deadline = Deadline(total)
    private var isStopping = false

    /** Negative after the end, if the job system lets the job run on. */
    private val left: Duration get() = -end.elapsedNow()

    /** For a loop over `steps()`. */
    fun announceStop() =
        announce(
            "before that the program saves and stops. If no save has shown by ${timeBefore(
                deadline.keptUntried,
            )} how " +
                "long that takes, one is made then.",
        )

    /** For a program with a loop of its own, which calls `endsSoon`. */
    fun announceAnswer() = announce("before that endsSoon() returns true.")

    private fun announce(plan: String) = LOG.log(INFO, "the job ends at $job, in ${spanText(total)}: $plan")

    /** The ranks have worked for [time] between two meetings, without the saves. */
    fun worked(time: Duration) = deadline.worked(time)

    /** A save has ended, or continues in the background; it has blocked the program for [waited]. */
    fun ended(outcome: SaveOutcome, waited: Duration) {
        if (outcome is SaveOutcome.UnderWay) deadline.savedInBackground()
        if (outcome !is Saved) return
        val isFirst = deadline.longestSave == null
        deadline.saved(maxOf(waited, outcome.time))
        if (isFirst && !isStopping) LOG.log(INFO, "the program will save and stop ${whenToStop()}: $deadline")
    }

    private fun whenToStop() =
        if (deadline.kept < left) "at about ${timeBefore(deadline.kept)}" else "after its next steps"

    /**
     * The request that follows from the end of the job, at a meeting.
     *
     * @param stop the consequence of a stop, for the log
     * @param isSaving whether a save is made there anyway
     */
    fun request(stop: String, isSaving: Boolean): RunRequest {
        val left = left
        return when (deadline.urgency(left, isSaving)) {
            Urgency.NONE -> RunRequest.NONE
            Urgency.SAVE -> RunRequest.SAVE
            Urgency.STOP -> RunRequest.STOP.also { logStop(stop, left, isSaving) }
        }
    }

    private fun logStop(stop: String, left: Duration, isSaving: Boolean) {
        isStopping = true
        val longest = deadline.longestSave
        val isTight = left < (longest ?: Duration.ZERO)
        val prospect = if (isTight) ", which may be too late: the job may be killed first" else ""
        val level = if (isTight) WARNING else INFO
        val needed = "${spanText(deadline.needed(isSaving))}: ${deadline.partsOfNeeded(isSaving)}"
        LOG.log(level, "$stop$prospect. ${endText(left)}; what is needed is $needed")
    }

    private fun endText(left: Duration) =
        if (left.isNegative()) {
            "Its job should have ended at $job, ${spanText(-left)} ago"
        } else {
            "Its job ends at $job, in ${spanText(left)}"
        }

    private fun timeBefore(kept: Duration) = timeText(job.time - kept.toJavaDuration())

    private companion object {
        val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)
    }
}
