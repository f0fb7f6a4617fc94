package dev.cairn

import dev.cairn.event.withTypedFailures
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.clock
import dev.cairn.ranks.collectively
import dev.cairn.run.LoopSurroundings
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
    private var before: LoopPosition? = null
    private var isOver = false

    /** The steps that are done; null if they are not known. */
    val stepCount: Long? get() = before?.step

    /** Whether the loop has come to its own end, as far as the program has said where that is. */
    val hasFinished: Boolean get() = isOver && !points.isStopped

    /** Passes the safe point at [position] if nothing is to be done there; returns whether it has. */
    fun passIdle(position: LoopPosition, until: Long): Boolean {
        if (isBegin(position) || position.step >= until || !points.isIdle(position.step)) return false
        before = position
        return true
    }

    /** Collective: passes the safe point at [position], and returns whether the program goes on. */
    suspend fun pass(position: LoopPosition, until: Long): Boolean {
        if (passIdle(position, until)) return true
        if (points.isStopped) return false
        val isBegin = isBegin(position)
        before = position
        isOver = position.step >= until
        // The state that was just restored needs no save.
        val isRestored = isBegin && position == checkpoints.restoredAt
        if (isBegin) points.begin(if (isRestored) position.step else position.step - 1, until)
        if (!isRestored) points.pass(position, until, isOver)
        return !isOver && !points.isStopped
    }

    /** Whether a loop begins at [position]: the first one, one of another phase, or, after a step back, one that goes on from a restore. */
    private fun isBegin(position: LoopPosition): Boolean =
        before.let { it == null || it.phase != position.phase || it.step > position.step }

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
                val surroundings =
                    ranks.collectively("look for signals and the end of the job") {
                        ranks
                            .surroundings(checkpoints.directory, checkpoints.options, checkpoints.files) {
                                signals?.take() ?: RunRequest.NONE
                            }.also { if (takesSignals) signals = SignalRequests("${checkpoints.directory.fileName}") }
                    }
                val points = SafePoints.of(checkpoints, checkpoints.options.triggers, surroundings)
                OwnLoop(checkpoints, points, surroundings, signals)
            }
    }
}
