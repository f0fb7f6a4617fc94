package dev.cairn

import dev.cairn.comm.Communicator
import dev.cairn.comm.allReduce
import dev.cairn.multifile.ROOT
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** The steps of a loop that Cairn keeps; see [Simulation.steps]. Can be walked through once, by all ranks together. */
public class Steps internal constructor(
    private val walk: StepIterator,
) {
    private var isWalked = false

    public operator fun iterator(): StepIterator {
        check(!isWalked) { "these steps have been walked through: ask for steps of another phase" }
        isWalked = true
        return walk
    }

    /**
     * The step that is under way is the last one: when the body of the loop has come to its end, the state is saved and the
     * loop ends. A restart does not walk through it again. For what ends before its time, such as a solver that has
     * converged; all ranks call it in the same step. (A `break` leaves a step unfinished, so nothing can be saved then.)
     */
    public fun finish(): Unit = walk.finish()
}

/** Walks through [Steps]. */
public class StepIterator internal constructor(
    private val simulation: Simulation,
    private val until: Long,
    internal val phase: String,
    private val agenda: Agenda,
) {
    private var step = BEFORE_FIRST
    private var isUnderWay = false
    private var isFinishing = false

    /** Whether the next safe point is passed without a word between ranks: then [hasNext] does nothing and is true. */
    internal val isIdle: Boolean
        get() = step in 0 until until && !simulation.isStopped && !isFinishing && !agenda.isDue(step)

    /** The step whose body was begun and has not come to its end; null if there is none. */
    internal val unfinishedStep: Long? get() = if (isUnderWay) step - 1 else null

    internal fun finish() {
        check(isUnderWay) { "finish() ends a step that is under way: call it in the body of the loop" }
        isFinishing = true
    }

    /** Collective: the safe point between two steps. */
    public suspend operator fun hasNext(): Boolean {
        if (simulation.isStopped) return false
        if (step == BEFORE_FIRST) {
            step = simulation.begin(this, until, phase) ?: return false
            agenda.begin(step)
        } else {
            pass()
        }
        return step < until && !isFinishing && !simulation.isStopped
    }

    public operator fun next(): Long {
        isUnderWay = true
        return step++
    }

    /** Most steps cost two comparisons of numbers, and no message. */
    private suspend fun pass() {
        isUnderWay = false
        val asked = if (step == agenda.nextMeeting) meet() else Request.NONE
        val isStop = asked == Request.STOP || step == agenda.stopAt
        val isLast = isStop || isFinishing || step == until
        if (asked != Request.NONE || step == agenda.nextSave || isLast) save(isLast)
        if (isStop) simulation.stop()
    }

    private suspend fun meet(): Request {
        simulation.answerErrands()
        return agenda.meet(simulation.ranks, step)
    }

    /** No step comes after the last one, so there it is tried again at once. */
    private suspend fun save(isLast: Boolean) {
        val position = LoopPosition(step, phase, isFinishing, simulation.phasesBefore)
        val outcome = agenda.save(step) { simulation.save(position) }
        if (isLast && outcome !is Saved) agenda.save(step) { simulation.save(position) }
    }

    private companion object {
        const val BEFORE_FIRST = -1L
    }
}

/** What somebody wants of a running simulation. */
internal enum class Request {
    NONE,
    SAVE,
    STOP,
}

/**
 * When the ranks save. Every so many steps they do it without a word. All else is for meetings: steps at which the ranks
 * tell each other their wishes, known ahead, as far apart as a fraction of a second allows. At such a meeting they also
 * agree on another save, some time after one that came to nothing.
 */
internal class Agenda(
    private val triggers: Triggers,
    private val requests: Requests,
    private val clock: TimeSource.WithComparableMarks,
) {
    /** The step at which the program was to stop from the beginning; null if there is none. */
    val stopAt: Long? get() = triggers.stopAt

    private var lastMeeting = 0L
    private var lastMeetingTime = clock.markNow()
    private var lastSaveTime = clock.markNow()
    private val patience = Patience(clock)

    /** The next step at which the ranks tell each other their wishes. */
    var nextMeeting = 1L
        private set

    /** The next step at which all save of themselves. */
    var nextSave = Long.MAX_VALUE
        private set

    /** Whether something is to be done at [step]. */
    fun isDue(step: Long): Boolean = step == nextMeeting || step == nextSave || step == stopAt

    fun begin(step: Long) {
        lastMeeting = step
        nextMeeting = step + 1
        passed(step)
    }

    /** Collective: lets all ranks [save] at [step], and plans the next time from how it ended. */
    suspend fun save(
        step: Long,
        save: suspend () -> SaveOutcome,
    ): SaveOutcome {
        val begin = clock.markNow()
        val outcome = save()
        passed(step)
        if (outcome is Saved) patience.forget() else patience.lose(begin.elapsedNow())
        return outcome
    }

    private fun passed(step: Long) {
        lastSaveTime = clock.markNow()
        nextSave =
            if (triggers.everySteps == null) Long.MAX_VALUE else (step / triggers.everySteps + 1) * triggers.everySteps
    }

    /** Collective: the most urgent wish of any rank, and when the ranks meet again, which rank 0 decides. */
    suspend fun meet(
        ranks: Communicator,
        step: Long,
    ): Request {
        val isRoot = ranks.rank == ROOT
        val meeting = if (isRoot) step + interval(step) else 0
        val wish = if (isRoot) decide() else requests.take()
        val (nextMeeting, request) = ranks.allReduce(longArrayOf(meeting, wish.ordinal.toLong()), Math::max)
        this.nextMeeting = nextMeeting
        return Request.entries[request.toInt()]
    }

    private fun decide(): Request {
        val asked = requests.take()
        val isDue = triggers.everySeconds != null && lastSaveTime.elapsedNow() >= triggers.everySeconds.seconds
        return if (asked == Request.NONE && (isDue || patience.isOver)) Request.SAVE else asked
    }

    /**
     * At most twice as long as the last time, so that a first, fast step does not lead far away, and never longer than
     * [MOST_STEPS], since steps may become slow all at once. A step may take less than a nanosecond, so the time of one step
     * is never asked for. Where the clock is simulated and stands still, the ranks meet after each step.
     */
    private fun interval(step: Long): Long {
        val steps = step - lastMeeting
        val elapsed = lastMeetingTime.elapsedNow()
        lastMeeting = step
        lastMeetingTime = clock.markNow()
        if (!elapsed.isPositive()) return 1
        return (steps * (MEETING_TIME / elapsed)).toLong().coerceIn(1, minOf(2 * steps, MOST_STEPS))
    }

    private companion object {
        val MEETING_TIME = 200.milliseconds

        /** A meeting costs less than a percent of so many steps, even if a step takes a few nanoseconds only. */
        const val MOST_STEPS = 1L shl 20
    }
}
