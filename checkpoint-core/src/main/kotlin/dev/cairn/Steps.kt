package dev.cairn

import dev.cairn.run.LoopProgress
import dev.cairn.save.LoopPosition

/**
 * The steps of a loop that Cairn keeps; see [Simulation.steps]. Iterated once, by all ranks together, in the coroutine of each; nothing
 * is to be closed.
 */
public class Steps internal constructor(
    private val simulation: Simulation,
    private val until: Long,
    private val phase: String,
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
    internal val isIdle: Boolean get() = step in 0 until until && !isFinishing && simulation.points.isIdle(step)

    /** Collective: the safe point between two steps. Most steps cost two comparisons of numbers, and no message. */
    public suspend operator fun hasNext(): Boolean {
        if (simulation.isStopped) return false
        if (step == BEFORE_FIRST) {
            step = simulation.begin(this, until, phase) ?: return false
            simulation.points.begin(step, until)
        } else {
            isUnderWay = false
            if (!isIdle) pass()
        }
        return step < until && !isFinishing && !simulation.isStopped
    }

    /** The next step; the loop calls it after each [hasNext]. */
    public operator fun next(): Long {
        isUnderWay = true
        return step++
    }

    private suspend fun pass() {
        val position = LoopPosition(step, phase, isFinishing, simulation.phasesBefore)
        simulation.points.pass(position, until, isOver = isFinishing || step == until)
    }
}

private const val BEFORE_FIRST = -1L
