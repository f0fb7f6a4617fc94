package dev.cairn

import dev.cairn.event.withTypedFailures
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.clock
import dev.cairn.ranks.collectively
import dev.cairn.run.LoopSurroundings
import dev.cairn.run.Requests
import dev.cairn.run.RunRequest
import dev.cairn.run.SignalRequests
import dev.cairn.run.surroundings
import dev.cairn.save.LoopPosition
import kotlin.time.TimeSource

/** A loop of the program's own, which says where it is by `saveIfDue`. Each rank has one, made by [of], and closes it. */
internal class OwnLoop private constructor(
    private val checkpoints: Checkpoints,
    val points: SafePoints,
    private val surroundings: LoopSurroundings,
    private val signals: SignalRequests?,
) : AutoCloseable {
    /** The phase at the last call; null before the first one. */
    private var phase: String? = null
    private var step = 0L
    private var isOver = false

    /** The steps that are done; null if they are not known. */
    val stepCount: Long? get() = step.takeIf { phase != null }

    /** Whether the loop has come to its own end, as far as the program has said where that is. */
    val hasFinished: Boolean get() = isOver && !points.isStopped

    /** Passes the safe point after [step] if nothing is to be done there; returns whether it has. Makes no object: steps may be short. */
    fun passIdle(step: Long, until: Long, phase: String): Boolean {
        if (isBegin(step, phase) || step >= until || !points.isIdle(step)) return false
        this.step = step
        return true
    }

    /** Collective: passes the safe point at [position], and returns whether the program goes on. */
    suspend fun pass(position: LoopPosition, until: Long): Boolean {
        if (points.isStopped) return false
        val isBegin = isBegin(position.step, position.phase)
        step = position.step
        phase = position.phase
        isOver = step >= until
        // The state that was just restored needs no save.
        val isRestored = isBegin && position == checkpoints.restoredAt
        if (isBegin) points.begin(if (isRestored) step else step - 1, until)
        if (!isRestored) points.pass(position, until, isOver)
        return !isOver && !points.isStopped
    }

    /** Whether a loop begins there: the first one, one of another phase, or, after a step back, one that goes on from a restore. */
    private fun isBegin(step: Long, phase: String): Boolean = this.phase != phase || step < this.step

    override fun close() {
        surroundings.close()
        signals?.close()
    }

    companion object {
        /** Collective: the loop of a program with these [checkpoints]. Signals are taken from here on. */
        suspend fun of(checkpoints: Checkpoints): OwnLoop =
            withTypedFailures {
                val ranks = checkpoints.ranks
                // All ranks of a process would take its signals; where time is simulated, no signal belongs to the run.
                val isOneProcess = ranks.shareInProcess { it } == ranks.size
                val isFirst = ranks.rank == ROOT || !isOneProcess
                val takesSignals = checkpoints.options.signals && isFirst && ranks.clock === TimeSource.Monotonic
                var signals: SignalRequests? = null
                val taken = Requests { signals?.take() ?: RunRequest.NONE }
                val surroundings =
                    ranks.collectively("look for signals and the end of the job") {
                        ranks
                            .surroundings(checkpoints.directory, checkpoints.options, checkpoints.files, taken)
                            .also { if (takesSignals) signals = SignalRequests("${checkpoints.directory.fileName}") }
                    }
                try {
                    val points = SafePoints.of(checkpoints, checkpoints.options.triggers, surroundings)
                    OwnLoop(checkpoints, points, surroundings, signals)
                } catch (failure: Throwable) {
                    surroundings.close()
                    signals?.close()
                    throw failure
                }
            }
    }
}
