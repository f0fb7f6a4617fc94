package dev.cairn.proof.state

import dev.cairn.Checkpoints
import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointEvent.Restored
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.multifile.Cores
import dev.cairn.multifile.FileBounds
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DataFiles
import dev.cairn.ranks.Communicator
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.ElementType
import dev.cairn.state.PerRankRule
import dev.cairn.store.DIRECTORY
import java.nio.file.Path

/** A small state: a field, a value that is the same everywhere, and a private list. */
internal class SmallState(ranks: Communicator, decomposition: Decomposition) : KnownState {
    private val rank = ranks.rank
    private val rankCount = ranks.size
    private val boxes: List<Box> = decomposition.boxes(ranks.rank)
    private val arrays = boxes.map { DoubleArray(it.cellCount().toInt()) { NOTHING } }
    private var time = NOTHING
    private var marks = emptyList<Long>()

    override fun declare(builder: StateBuilder) =
        with(builder) {
            field("u", SHAPE, ElementType.DOUBLE) { boxes.zip(arrays) { box, array -> block(box, array) } }
            replicated("time", { time }, { time = it })
            perRank("marks", { marks }, { marks = it }, PerRankRule.Merge { it.flatten() })
        }

    override fun advanceTo(step: Long) {
        boxes.zip(arrays) { box, array -> array.indices.forEach { array[it] = cell(box, it, step) } }
        time = timeAt(step)
        marks = markOf(rank, step)
    }

    override fun isThatOf(step: Long, writers: Int): Boolean =
        hasField { box, at -> cell(box, at, step) } && time == timeAt(step) && marks == inherited(step, writers)

    override fun isUntouched(): Boolean = hasField { _, _ -> NOTHING } && time == NOTHING && marks.isEmpty()

    private fun hasField(expected: (Box, Int) -> Double): Boolean =
        boxes.indices.all { block ->
            arrays[block].indices.all { arrays[block][it].toRawBits() == expected(boxes[block], it).toRawBits() }
        }

    /** The lists of those of the [writers] for whom this rank stands. */
    private fun inherited(step: Long, writers: Int): List<Long> =
        (writers * rank / rankCount until writers * (rank + 1) / rankCount).flatMap { markOf(it, step) }

    companion object {
        val SHAPE: Shape = Shape.of(5, 4)
        private const val NOTHING = -1.0

        private fun cell(box: Box, at: Int, step: Long): Double =
            SHAPE.index(*box.cell(at.toLong())).let { step * 1000 + it * 0.5 + 1.0 / (it + 3) }

        private fun timeAt(step: Long) = step * 0.125

        private fun markOf(rank: Int, step: Long) = listOf(step, 100L + rank)
    }
}

/** As by default, but for states of some hundred bytes: the ranks choose two physical files on each host. */
internal val SMALL_OPTIONS =
    CheckpointOptions {
        files = DataFiles.Auto(FileBounds(bytesPerFile = 64), Cores(2))
        blockSize = 64
    }

/** Collective: a small state of all ranks, cut as [decomposition] says, and its checkpoints. The caller closes them. */
internal suspend fun Communicator.openSmall(
    files: BlockStore,
    decomposition: Decomposition,
    directory: Path,
): Pair<SmallState, Checkpoints> {
    val state = SmallState(this, decomposition)
    return state to checkpoints(directory, SMALL_OPTIONS, files) { state.declare(this) }
}

/** Collective: writes the checkpoints of [steps], by rows, after those that are there. Tells each one that is committed. */
internal suspend fun Communicator.saveSmall(
    files: BlockStore,
    steps: LongRange,
    directory: Path = DIRECTORY,
    onSaved: (Saved) -> Unit = {},
): Unit = saveKnown(Known.SMALL, files, steps, directory, onSaved = onSaved)

/** Collective: what comes back, by blocks of rows and columns; on each rank the same, or null where there is nothing. */
internal suspend fun Communicator.restoreSmall(files: BlockStore, directory: Path = DIRECTORY): Restored? =
    restoreKnown(Known.SMALL, files, directory)
