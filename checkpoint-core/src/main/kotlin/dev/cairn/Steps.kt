package dev.cairn

import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.options.Wait
import dev.cairn.options.WhenBusy
import dev.cairn.run.LoopProgress
import dev.cairn.run.RunRequest
import dev.cairn.run.SaveSchedule
import dev.cairn.save.LoopPosition

/**
 * The steps of a loop that Cairn keeps; see [Simulation.steps]. Iterated once, by all ranks together, in the coroutine of each; nothing
 * is to be closed.
 */
public class Steps internal constructor(
    private val simulation: Simulation,
    private val until: Long,
    internal val phase: String,
    private val schedule: SaveSchedule,
) {
    private var isWalked = false

    public operator fun iterator(): Steps {
        check(!isWalked) { "these steps were iterated already: call steps() with another phase" }
        isWalked = true
        return this
    }

    /**
     * Makes the present step the last one: at the end of the loop's body the state is saved and the loop ends. A
     * restart does not run it again. For loops that end early, such as a solver that has converged; all ranks call it
     * in the same step. (A `break` leaves a step unfinished, so nothing can be saved then.)
     */
    public fun finish() {
        check(isUnderWay) { "finish() ends the current step: call it in the body of the loop" }
        isFinishing = true
    }

    internal val progress: LoopProgress =
        object : LoopProgress {
            override val stepUnderWay: Long? get() = if (isUnderWay) step - 1 else null
            override val stepCount: Long? get() = stepUnderWay ?: step.takeUnless { it == BEFORE_FIRST }
        }

    private var step = BEFORE_FIRST
    private var isUnderWay = false
    private var isFinishing = false

    /** Whether the next safe point needs no communication: then [hasNext] does nothing and is true. */
    internal val isIdle: Boolean
        get() = step in 0 until until && !simulation.isStopped && !isFinishing && !schedule.isDue(step)

    /** Collective: the safe point between two steps. */
    public suspend operator fun hasNext(): Boolean {
        if (simulation.isStopped) return false
        if (step == BEFORE_FIRST) {
            step = simulation.begin(this, until, phase) ?: return false
            schedule.begin(step)
            simulation.reach(step, until)
        } else {
            pass()
        }
        return step < until && !isFinishing && !simulation.isStopped
    }

    /** The next step; the loop calls it after each [hasNext]. */
    public operator fun next(): Long {
        isUnderWay = true
        return step++
    }

    /** Most steps cost two comparisons of numbers, and no message. */
    private suspend fun pass() {
        isUnderWay = false
        val asked = if (step == schedule.nextMeeting) meet() else RunRequest.NONE
        val isOver = isFinishing || step == until
        if (isOver || asked == RunRequest.STOP || step == schedule.stopAt) {
            saveLast()
        } else if (asked == RunRequest.SAVE) {
            // It was asked for, so it is never skipped.
            save { trySave(it, whenBusy = WhenBusy.WAIT) }
        } else if (asked == RunRequest.DUE || step == schedule.nextSave) {
            save { trySave(it) }
        }
        // A program whose last loop has ended has nothing to stop: it ends as if there were no request.
        if (asked == RunRequest.STOP && isOver) simulation.stopBeforeNextLoop()
        if ((asked == RunRequest.STOP && !isOver) || step == schedule.stopAt) simulation.stop()
    }

    private suspend fun meet(): RunRequest {
        simulation.reach(step, until)
        val checkpoints = simulation.opened
        checkpoints.answerOwnerRequests()
        val request = schedule.meet(simulation.ranks, step, checkpoints.ready())
        checkpoints.meet(schedule.ready).forEach(schedule::ended)
        return request
    }

    /** No step comes after the last one, so there a save is committed, or tried again at once. */
    private suspend fun saveLast() {
        val way: suspend Checkpoints.(LoopPosition) -> SaveOutcome = { trySave(it, Wait.COMMITTED) }
        if (save(way) !is Saved) save(way)
    }

    private suspend fun save(way: suspend Checkpoints.(LoopPosition) -> SaveOutcome): SaveOutcome {
        simulation.reach(step, until)
        val position = LoopPosition(step, phase, isFinishing, simulation.phasesBefore)
        return schedule.save(step) { simulation.opened.way(position) }
    }
}

private const val BEFORE_FIRST = -1L
