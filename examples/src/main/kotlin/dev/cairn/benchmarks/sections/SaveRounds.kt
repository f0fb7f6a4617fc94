package dev.cairn.benchmarks.sections

import dev.cairn.Checkpoints
import dev.cairn.benchmarks.baseline.copyArrays
import dev.cairn.checkpoints
import dev.cairn.comm.Communicator
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DataFiles
import dev.cairn.ranks.runRanks
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.ElementType
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.deleteRecursively

/**
 * The times of one round, in seconds.
 *
 * @property inSaveAsync until the state is copied
 * @property inCairn of all calls of the program for a save that it does not wait for
 * @property committed from the begin of that save until the program learns that it is committed
 * @property stepMeanwhile of one step while the save is under way
 * @property step of one step while there is none
 * @property saved of a save that the program waits for
 * @property copied of a copy of the same arrays
 */
internal class SaveRound(
    val inSaveAsync: Double,
    val inCairn: Double,
    val committed: Double,
    val stepMeanwhile: Double,
    val step: Double,
    val saved: Double,
    val copied: Double,
)

/**
 * A program with a field of doubles on as many ranks as processors. In a round it saves behind its steps, makes as many steps
 * without a save, waits for a save, and copies its arrays; the next round has the reverse order.
 */
internal class SaveRounds(
    private val directory: Path,
    private val files: BlockStore,
    byteCount: Long,
    private val isForced: Boolean,
) {
    private val shape = Shape.of(byteCount / Double.SIZE_BYTES)
    private val boxes = Decomposition.rows(shape, rankCount).let { rows -> List(rankCount) { rows.boxes(it).single() } }
    private val arrays = boxes.map { box -> DoubleArray(box.cellCount().toInt()) { it * 0.5 } }
    private val copies = arrays.map { ByteBuffer.allocateDirect(it.size * Double.SIZE_BYTES) }

    /** Runs rounds, of which the first [warmUpCount] are not returned. The last save is restored and checked. */
    @OptIn(ExperimentalPathApi::class)
    fun run(
        warmUpCount: Int,
        count: Int,
    ): List<SaveRound> {
        val rounds =
            runRanks(rankCount) {
                open().use { checkpoints ->
                    val saving = SavingRank(this, checkpoints, arrays[rank])
                    List(warmUpCount + count) { round(saving, it) }.also { saving.checkRestored() }
                }
            }
        directory.deleteRecursively()
        return rounds.first().drop(warmUpCount)
    }

    private suspend fun Communicator.open(): Checkpoints {
        val options =
            CheckpointOptions(
                files = DataFiles.count(rankCount),
                blockSize = Scale.BLOCK_SIZE,
                durability = if (isForced) ForcePolicy.ON_CLOSE else ForcePolicy.NEVER,
            ).withOnlyNewest()
        return checkpoints(directory, options, files) {
            field("state", shape, ElementType.DOUBLE) { block(boxes[rank], arrays[rank]) }
        }
    }

    private suspend fun Communicator.round(
        saving: SavingRank,
        number: Int,
    ): SaveRound {
        if (number % 2 == 0) {
            val behind = saving.saveBehind()
            val step = saving.steps(behind.stepCount)
            val saved = saving.save()
            return behind.round(step, saved, copy())
        }
        val copied = copy()
        val saved = saving.save()
        val step = saving.steps(saving.lastStepCount)
        return saving.saveBehind().round(step, saved, copied)
    }

    /** On rank 0, while the other ranks wait. */
    private suspend fun Communicator.copy(): Double =
        timed(this) {
            if (rank == 0) copyArrays(arrays, copies)
        }
}

/** A rank that waited for the thread of another one would take its steps for time in Cairn. */
private val rankCount = Runtime.getRuntime().availableProcessors()
