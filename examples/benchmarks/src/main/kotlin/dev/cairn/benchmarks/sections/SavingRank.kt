package dev.cairn.benchmarks.sections

import dev.cairn.Checkpoints
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.ranks.Communicator

/** A rank changes this many cells in a step, whatever the size of its state: a step takes some ten milliseconds. */
private const val CELLS_PER_STEP = 1 shl 25

/**
 * The times of a save behind [stepCount] steps, in seconds.
 *
 * @property inSaveAsync until the program goes on
 * @property inProgress of the calls after that
 * @property inSteps of the steps with these calls
 */
internal class SaveBehind(val inSaveAsync: Double, val inProgress: Double, val inSteps: Double, val stepCount: Int) {
    /** One step while the save is under way. */
    val inStep: Double get() = inSteps / stepCount

    /** All calls of the program. */
    val inCairn: Double get() = inSaveAsync + inProgress

    /** From the begin of the save until the program learns that it is committed. */
    val committed: Double get() = inSaveAsync + inSteps
}

/** One rank of a program that changes all cells of its [array] in each step. */
internal class SavingRank(
    private val ranks: Communicator,
    private val checkpoints: Checkpoints,
    private val array: DoubleArray,
) {
    private val sweepsPerStep = maxOf(1, CELLS_PER_STEP / array.size)
    private var step = 0L
    var lastStepCount = 1
        private set

    suspend fun saveBehind(): SaveBehind {
        ranks.barrier()
        val begin = System.nanoTime()
        val pending = checkpoints.saveAsync(step)
        ranks.barrier()
        val copied = System.nanoTime()
        var inProgress = 0L
        var count = 0
        while (pending.outcome is SaveOutcome.UnderWay) {
            step()
            val stepped = System.nanoTime()
            checkpoints.progress()
            inProgress += System.nanoTime() - stepped
            count++
        }
        val end = System.nanoTime()
        check(pending.outcome is Saved) { "${pending.outcome}" }
        // The save before is deleted in the background, too.
        checkpoints.awaitSaves()
        lastStepCount = count
        return SaveBehind(seconds(copied - begin), seconds(inProgress), seconds(end - copied), count)
    }

    /** The time of one of [count] steps. */
    suspend fun steps(count: Int): Double =
        timed(ranks) {
            repeat(count) {
                step()
                checkpoints.progress()
            }
        } / count

    suspend fun save(): Double = timed(ranks) { checkpoints.save(step) }

    suspend fun restore(): Double = timed(ranks) { checkNotNull(checkpoints.restore()) }

    /** As in a stencil code, no rank begins a step before its neighbours have ended the one before. */
    private suspend fun step() {
        repeat(sweepsPerStep) { for (index in array.indices) array[index] += 1.0 }
        step++
        ranks.barrier()
    }

    suspend fun checkRestored() {
        array.fill(-1.0)
        val saved = checkNotNull(checkpoints.restore()).step
        val added = saved.toDouble() * sweepsPerStep
        for (index in array.indices) check(array[index] == index * 0.5 + added) { "cell $index is ${array[index]}" }
    }
}

private fun seconds(nanos: Long) = nanos / 1e9
