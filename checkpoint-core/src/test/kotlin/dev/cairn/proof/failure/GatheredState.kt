package dev.cairn.proof.failure

import dev.cairn.checkpoints
import dev.cairn.concentrate.Concentrators
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.output.readArrays
import dev.cairn.output.writeArrays
import dev.cairn.proof.state.SMALL_OPTIONS
import dev.cairn.ranks.Communicator
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.ElementType
import java.nio.file.Path

/** The ranks that write for all, of [WRITERS]. */
public val CONCENTRATORS: List<Int> = listOf(1, 3)
public const val WRITERS: Int = 4

/** An array of so many cells that all [CONCENTRATORS] have a part of it. All cells are those of one step, so a mixture is found. */
private class Columns(private val ranks: Communicator) {
    val box: Box = Decomposition.grid(SHAPE, 1, ranks.size).boxes(ranks.rank).single()
    val cells = LongArray(box.cellCount().toInt())
    private val width = box.extent(1)

    fun advanceTo(step: Long) = cells.indices.forEach { cells[it] = cell(it, step) }

    /** The step of which all cells are. */
    fun step(): Long {
        val step = cells[0] / FACTOR
        check(
            cells.indices.all { cells[it] == cell(it, step) },
        ) { "rank ${ranks.rank} has read cells of several steps" }
        return step
    }

    private fun cell(index: Int, step: Long) =
        step * FACTOR + index / width * SHAPE.extent(1) + box.start(1) + index % width

    companion object {
        val SHAPE: Shape = Shape.of(600, 500)
        private const val FACTOR = 1_000_000L
    }
}

/** What ranks write through concentrators into one directory. */
public enum class Gathered(
    private val word: String,
    public val write: suspend Communicator.(BlockStore, Path, step: Long) -> Unit,
    public val read: suspend Communicator.(BlockStore, Path) -> Long?,
) {
    ARRAYS("a file of arrays", Communicator::writeColumns, Communicator::readColumns),
    CHECKPOINT("a checkpoint", Communicator::saveColumns, Communicator::restoreColumns),
    ;

    override fun toString(): String = word
}

internal fun arraysIn(directory: Path): Path = directory.resolve("u.arrays")

internal fun checkpointsIn(directory: Path): Path = directory.resolve("u.cairn")

/** These files do not tell how full their disk is, so that a write is what fails, and not a look at the room beforehand. */
public fun BlockStore.silentAboutRoom(): BlockStore =
    object : BlockStore by this {
        override fun freeSpace(path: Path) = Long.MAX_VALUE
    }

private suspend fun Communicator.writeColumns(files: BlockStore, directory: Path, step: Long) {
    val columns = Columns(this).apply { advanceTo(step) }
    writeArrays(arraysIn(directory), Concentrators.ranks(CONCENTRATORS[0], CONCENTRATORS[1]), files) {
        array("u", Columns.SHAPE, columns.box, columns.cells)
    }
}

private suspend fun Communicator.readColumns(files: BlockStore, directory: Path): Long {
    val columns = Columns(this)
    readArrays(arraysIn(directory), Concentrators.total(2), files) {
        array("u", Columns.SHAPE, columns.box, columns.cells)
    }
    return columns.step()
}

private suspend fun Communicator.saveColumns(files: BlockStore, directory: Path, step: Long) {
    val columns = Columns(this)
    val concentrators = Concentrators.ranks(CONCENTRATORS[0], CONCENTRATORS[1])
    open(columns, files, directory, concentrators).use {
        it.restore()
        columns.advanceTo(step)
        it.save(step)
    }
}

private suspend fun Communicator.restoreColumns(files: BlockStore, directory: Path): Long? {
    val columns = Columns(this)
    val restored = open(columns, files, directory).use { it.restore() } ?: return null
    check(columns.step() == restored.step) { "rank $rank has cells of step ${columns.step()}, not ${restored.step}" }
    return restored.step
}

private suspend fun Communicator.open(
    columns: Columns,
    files: BlockStore,
    directory: Path,
    concentrators: Concentrators? = null,
) = checkpoints(checkpointsIn(directory), SMALL_OPTIONS, files) {
    field("u", Columns.SHAPE, ElementType.LONG) {
        if (concentrators != null) concentrate(concentrators)
        block(columns.box, columns.cells)
    }
}
