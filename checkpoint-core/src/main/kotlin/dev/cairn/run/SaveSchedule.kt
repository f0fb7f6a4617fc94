package dev.cairn.run

import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.options.Triggers
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.allReduce
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** A request to a running simulation. */
internal enum class RunRequest {
    NONE,

    /** A save is due by the clock, or to repeat one that failed. */
    DUE,

    /** A user or another program requests a save. */
    SAVE,
    STOP,
}

/**
 * Decides when the ranks save. A save at a fixed number of steps needs no message. All other requests wait for a meeting: a step at
 * which the ranks exchange their requests. The ranks know the next meeting in advance; meetings are a fraction of a second apart. At a
 * meeting the ranks also agree to repeat a save that failed or was skipped, after its backoff, and to stop before their job ends.
 *
 * @property job on rank 0, if the job has an end
 * @property pace on rank 0, if the cost of saves determines how often they are made
 */
internal class SaveSchedule(
    private val triggers: Triggers,
    private val requests: Requests,
    private val clock: TimeSource.WithComparableMarks,
    private val job: JobWatch? = null,
    private val pace: () -> SavePace? = { null },
) {
    private var beginning = 0L
    private var hasTriedToHold = false
    private var lastMeeting = 0L
    private var lastMeetingTime = clock.markNow()
    private var lastSaveTime = clock.markNow()
    private var savedSinceMeeting = Duration.ZERO
    private val backoff = SaveBackoff(clock)

    /** The next step at which the ranks exchange their requests. */
    var nextMeeting = 1L
        private set

    /** The next step of a periodic save. */
    var nextSave = Long.MAX_VALUE
        private set

    // A loop of the program's own may leave steps out.

    /** Whether the ranks exchange their requests at [step]. */
    fun isMeeting(step: Long): Boolean = step >= nextMeeting

    /** Whether a periodic save is due at [step]. */
    fun isSave(step: Long): Boolean = step >= nextSave

    /** Whether the program stops at [step]. */
    fun isStop(step: Long): Boolean = step == triggers.stopAt

    /** Whether the program waits at [step] until it is killed. */
    fun isHold(step: Long): Boolean =
        !hasTriedToHold && triggers.holdAt != null && triggers.holdAt in beginning + 1..step

    /** The step at which the program should wait to be killed, if the loop ends at [step] before it; null otherwise. */
    fun missedHold(step: Long): Long? = triggers.holdAt?.takeIf { it > step }

    /** The step at which the program should have waited, if the loop begins there or after it; null otherwise. */
    fun passedHold(): Long? = triggers.holdAt?.takeIf { it <= beginning && !hasTriedToHold }

    /** The save of that step has failed: the program goes on as if it were not to be killed. */
    fun goOn() {
        hasTriedToHold = true
    }

    /** Whether anything is due at [step]. */
    fun isDue(step: Long): Boolean = isMeeting(step) || isSave(step) || isStop(step) || isHold(step)

    /** A loop begins, or goes on, after [step]. */
    fun begin(step: Long) {
        beginning = step
        lastMeeting = step
        lastMeetingTime = clock.markNow()
        savedSinceMeeting = Duration.ZERO
        nextMeeting = step + 1
        passed(step)
    }

    /** Collective: lets all ranks [save] at [step], and plans the next time from how it ended. */
    suspend fun save(step: Long, save: suspend () -> SaveOutcome): SaveOutcome {
        val begin = clock.markNow()
        val outcome = save()
        val time = begin.elapsedNow()
        savedSinceMeeting += time
        passed(step)
        ended(outcome, time)
        return outcome
    }

    /** A save has ended that blocked the program for [time]: if it failed or was skipped, it is tried again. */
    fun ended(outcome: SaveOutcome, time: Duration = Duration.ZERO) {
        job?.ended(outcome, time)
        pace()?.ended(outcome, time)
        when (outcome) {
            is Saved -> backoff.forget()

            is SaveOutcome.UnderWay -> backoff.begun()

            is SaveOutcome.Superseded -> Unit

            is SaveOutcome.Failed -> backoff.lose(time)

            // A save without a number was skipped because another one was under way.
            is SaveOutcome.Skipped -> if (outcome.number == null) Unit else backoff.lose(time)
        }
    }

    private fun passed(step: Long) {
        lastSaveTime = clock.markNow()
        nextSave = periodicAfter(step)
    }

    private fun periodicAfter(step: Long): Long =
        if (triggers.everySteps == null) Long.MAX_VALUE else (step / triggers.everySteps + 1) * triggers.everySteps

    /** The work in the background for which all ranks were ready at the last meeting. */
    var ready = Ready.NOTHING
        private set

    /**
     * Collective: the most urgent request of any rank. Rank 0 also decides when the ranks meet again.
     *
     * @param ready the work in the background for which this rank is ready
     */
    suspend fun meet(ranks: Communicator, step: Long, ready: Ready = Ready.NOTHING): RunRequest {
        val isRoot = ranks.rank == ROOT
        val meeting = if (isRoot) meetingAfter(step) else 0
        val asked = if (isRoot) decide(step) else requests.take()
        val own = longArrayOf(meeting, asked.ordinal.toLong(), *ready.toLongs())
        val (nextMeeting, request, making, draining) = ranks.allReduce(own, Math::max)
        this.nextMeeting = nextMeeting
        this.ready = Ready.of(making, draining)
        return RunRequest.entries[request.toInt()]
    }

    private suspend fun decide(step: Long): RunRequest {
        val asked = requests.take()
        pace()?.logChange()
        val longest = listOfNotNull(triggers.everySeconds?.seconds, pace()?.length).minOrNull()
        val isDue = longest != null && lastSaveTime.elapsedNow() >= longest
        val request = if (asked == RunRequest.NONE && (isDue || backoff.isOver)) RunRequest.DUE else asked
        if (job == null || request == RunRequest.STOP) return request
        val isSaving = request != RunRequest.NONE || isSave(step)
        return maxOf(request, job.request("after step $step the program saves and stops", isSaving))
    }

    /** No later than the next periodic save if the job has an end, since after that save there may be no time for another one. */
    private fun meetingAfter(step: Long): Long {
        val meeting = step + interval(step)
        return if (job == null) meeting else minOf(meeting, periodicAfter(step))
    }

    /**
     * The steps until the next meeting: at most twice as many as the last time, so that one fast step does not postpone the meeting
     * for long, and at most [MOST_STEPS], since steps may suddenly become slow. A step may take less than a nanosecond, so the time
     * of one step is never measured. If a simulated clock stands still, the ranks meet after each step.
     */
    private fun interval(step: Long): Long {
        val steps = step - lastMeeting
        val elapsed = lastMeetingTime.elapsedNow()
        lastMeeting = step
        lastMeetingTime = clock.markNow()
        job?.worked(elapsed - savedSinceMeeting)
        savedSinceMeeting = Duration.ZERO
        if (!elapsed.isPositive()) return 1
        return (steps * (MEETING_TIME / elapsed)).toLong().coerceIn(1, minOf(2 * steps, MOST_STEPS))
    }

    private companion object {
        val MEETING_TIME = 200.milliseconds

        /** A million steps of a few nanoseconds each take some milliseconds; a meeting among them takes microseconds. */
        const val MOST_STEPS = 1L shl 20
    }
}
