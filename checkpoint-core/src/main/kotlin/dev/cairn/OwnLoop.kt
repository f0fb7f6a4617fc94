package dev.cairn

import dev.cairn.event.withTypedFailures
import dev.cairn.item.notFitting
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.clock
import dev.cairn.ranks.collectively
import dev.cairn.run.LoopSurroundings
import dev.cairn.run.Requests
import dev.cairn.run.RunRequest
import dev.cairn.run.SignalRequests
import dev.cairn.run.surroundings
import dev.cairn.save.LoopPosition
import kotlinx.coroutines.CancellationException
import kotlin.time.TimeSource

/** A loop of the program's own, which says where it is by `saveIfDue`. Each rank has one, made by [of], and closes it. */
internal class OwnLoop private constructor(
    private val checkpoints: Checkpoints,
    val points: SafePoints,
    private val signals: SignalRequests?,
) : AutoCloseable {
    /** The phase at the last call; null before the first one. */
    private var phase: String? = null
    private var step = 0L
    private var until = Long.MAX_VALUE
    private var hasEnded = false

    /** The steps that are done; null if they are not known. */
    val stepCount: Long? get() = step.takeIf { phase != null }

    /** Whether the loop has stopped or come to its own end, as far as the program has said where that is. */
    val isOver: Boolean get() = hasEnded || points.isStopped

    /** Refuses a loop that was left before its end, by an exception or since the program has finished early, or that has named none. */
    fun requireEnded() =
        check(isOver) {
            val end = if (until == Long.MAX_VALUE) "has not said where it ends" else "its end is step $until"
            "${checkpoints.directory}: the loop was left after step $step, and $end, so the exit code is not known. " +
                "A loop that ends early calls saveIfDue with its present step as the last one; after an exception, " +
                "let that end the process"
        }

    /** Passes the safe point after [step] if nothing is to be done there; returns whether it has. Makes no object: steps may be short. */
    fun passIdle(step: Long, until: Long, phase: String): Boolean {
        if (isBegin(step, phase) || step >= until || !points.isIdle(step)) return false
        this.step = step
        this.until = until
        return true
    }

    /** Collective: passes the safe point at [position], and returns whether the program goes on. */
    suspend fun pass(position: LoopPosition, until: Long): Boolean {
        if (points.isStopped) return false
        val start = checkpoints.loopStart
        val isBegin = start != null || isBegin(position.step, position.phase)
        val isAtOldEnd = start?.let { isAtOldEnd(it, position) } ?: false
        checkpoints.leaveStart()
        // A loop that names its present step as the last one, and a later one before, has ended early.
        val isEarly = !isBegin && position.step == until && until < this.until
        step = position.step
        phase = position.phase
        this.until = until
        hasEnded = isAtOldEnd || step >= until
        // The state that was just restored needs no save.
        val isRestored = start != null && start.isAt(position)
        if (isBegin) begin(start, isRestored, until)
        signals?.isLoopOver = false
        if (!isRestored) passPoint(position.copy(isFinished = isEarly), until)
        signals?.isLoopOver = isOver
        return !isOver
    }

    private suspend fun passPoint(position: LoopPosition, until: Long) =
        try {
            points.pass(position, until, hasEnded)
        } catch (failure: CancellationException) {
            // Nothing else shows that the state of the end was not saved.
            hasEnded = false
            throw failure
        }

    private fun begin(start: LoopStart?, isRestored: Boolean, until: Long) {
        // A call that leaves steps out passes the saves that were due in them.
        val stepBefore = if (start != null && start.phase == phase) start.step else step - 1
        points.begin(if (isRestored) step else minOf(stepBefore, step - 1), until)
        if (isRestored) start?.restored?.let { points.warnIfBeyond(it, until) }
    }

    /** Whether the loop is at [start] where the program had ended it. Refuses a program that has done a step of it all the same. */
    private fun isAtOldEnd(start: LoopStart, position: LoopPosition): Boolean {
        val restored = start.restored ?: return false
        if (!start.isFinished || start.phase != position.phase || checkpoints.options.triggers.goOn) return false
        if (start.isAt(position)) return true.also { points.logFinished(restored) }
        throw notFitting(
            position.phase,
            "save ${restored.number} was made after ${restored.step} steps, at which its loop had ended, but the " +
                "program has done step ${position.step}. Call saveIfDue(${restored.step}) before the first step: it " +
                "returns false. To continue the loop, set go-on = true.",
        )
    }

    /** Whether a loop begins there: the first one, one of another phase, or one that steps back. */
    private fun isBegin(step: Long, phase: String): Boolean = this.phase != phase || step < this.step

    override fun close() {
        signals?.close()
    }

    companion object {
        /** Collective: the loop of a program with these [checkpoints]. Signals are taken from here on. */
        suspend fun of(checkpoints: Checkpoints, until: Long): OwnLoop =
            withTypedFailures {
                val ranks = checkpoints.ranks
                // All ranks of a process would take its signals; where time is simulated, no signal belongs to the run.
                val isOneProcess = ranks.shareInProcess { it } == ranks.size
                val isFirst = ranks.rank == ROOT || !isOneProcess
                val takesSignals = checkpoints.options.signals && isFirst && ranks.clock === TimeSource.Monotonic
                var signals: SignalRequests? = null
                var around: LoopSurroundings? = null
                val taken =
                    object : Requests {
                        override suspend fun take() = signals?.take() ?: RunRequest.NONE

                        override fun giveBack() {
                            signals?.giveBack()
                        }
                    }
                try {
                    // If another rank fails, this one gives back what it has taken.
                    ranks.collectively("look for signals and the end of the job") {
                        around =
                            ranks.surroundings(
                                checkpoints.directory,
                                checkpoints.options,
                                checkpoints.files,
                                taken,
                                checkpoints.shown,
                            )
                        if (takesSignals) signals = SignalRequests("${checkpoints.directory.fileName}")
                    }
                    val points =
                        SafePoints.of(checkpoints, checkpoints.options.triggers, checkNotNull(around), until)
                    OwnLoop(checkpoints, points, signals)
                } catch (failure: Throwable) {
                    signals?.close()
                    throw failure
                }
            }
    }
}
