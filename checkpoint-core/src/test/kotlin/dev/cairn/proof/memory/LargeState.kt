package dev.cairn.proof.memory

import dev.cairn.Checkpoints
import dev.cairn.StateBuilder
import dev.cairn.checkpoint.FramePool
import dev.cairn.checkpoints
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.runRanks
import dev.cairn.sion.ForcePolicy
import dev.cairn.state.ElementType
import kotlinx.coroutines.runBlocking
import java.nio.file.Path

/**
 * The program of a JVM that has little more memory than its state takes: saves a field or a table, restores it on as many and on
 * fewer ranks, and checks each cell; or borrows more frames than the limit of direct memory allows. If it is given a size of
 * memory for copies, it saves asynchronously, and overwrites its state while the copy is written.
 */
internal object LargeState {
    const val RANK_COUNT = 4

    /** Of all ranks together. A larger state has more columns. */
    const val COLUMN_BYTES = 64L shl 20

    @JvmStatic
    fun main(args: Array<String>) {
        val directory = Path.of(args[1])
        val columnCount = (args[2].toLong() / COLUMN_BYTES).toInt()
        val snapshotMemory = args.getOrNull(3)?.toLong()
        when (args[0]) {
            "field" -> SaveAndRestore(directory, snapshotMemory) { FieldState(it, columnCount) }.run()
            "table" -> SaveAndRestore(directory, snapshotMemory) { TableState(it, columnCount) }.run()
            "hoard" -> runBlocking { hoard(FramePool(1000), 1000) }
        }
        println("survived")
    }

    private class SaveAndRestore(
        private val directory: Path,
        private val snapshotMemory: Long?,
        private val stateOf: (Box) -> Held,
    ) {
        private val options =
            CheckpointOptions {
                durability = ForcePolicy.NEVER
                this.snapshotMemory = snapshotMemory
            }

        fun run() {
            onRanks(RANK_COUNT) { held ->
                held.fill()
                if (snapshotMemory == null) save(held) else saveCopy(held)
            }
            onRanks(RANK_COUNT) { restore(it) }
            onRanks(RANK_COUNT - 1) { restore(it) }
        }

        private suspend fun Checkpoints.save(held: Held) {
            save(1)
            held.check()
        }

        private suspend fun Checkpoints.saveCopy(held: Held) {
            val save = saveAsync(1)
            held.clear()
            save.await()
        }

        private suspend fun Checkpoints.restore(held: Held) {
            checkNotNull(restore())
            held.check()
        }

        /** The arrays of one run are garbage when the next one begins. */
        private fun onRanks(count: Int, use: suspend Checkpoints.(Held) -> Unit) {
            runRanks(count) {
                val held = stateOf(Decomposition.rows(SHAPE, size).boxes(rank).single())
                checkpoints(directory, options) { held.declare(this) }.use { it.use(held) }
            }
        }
    }

    /** What one rank has: the cells with the global numbers of [box]. */
    private abstract class Held(protected val box: Box) {
        abstract fun fill()

        abstract fun clear()

        abstract fun declare(state: StateBuilder)

        abstract fun check()

        protected fun filled(column: Int) = DoubleArray(box.cellCount().toInt()) { value(column, it) }

        protected fun requireColumn(column: Int, found: DoubleArray) {
            check(found.size.toLong() == box.cellCount()) { "column $column has ${found.size} cells" }
            found.forEachIndexed { index, cell -> check(cell == value(column, index)) { "$column, $index: $cell" } }
        }

        private fun value(column: Int, index: Int) = (box.start(0) + index) * 0.5 + column
    }

    private class FieldState(box: Box, private val columnCount: Int) : Held(box) {
        private val array = DoubleArray(box.cellCount().toInt() * columnCount)

        override fun fill() = array.indices.forEach { array[it] = it * 0.5 + box.start(0) }

        override fun clear() = array.fill(Double.NaN)

        override fun declare(state: StateBuilder) =
            state.field("cells", Shape.of(SHAPE.extent(0), columnCount.toLong()), ElementType.DOUBLE) {
                block(Box.of(longArrayOf(box.start(0), 0), longArrayOf(box.extent(0), columnCount.toLong())), array)
            }

        /** Who saved a cell gave it the number that it had in the array, and added the first row. */
        override fun check() {
            val rowsPerWriter = SHAPE.extent(0) / RANK_COUNT
            array.forEachIndexed { index, cell ->
                val row = box.start(0) + index / columnCount
                val atWriter = row % rowsPerWriter * columnCount + index % columnCount
                check(cell == atWriter * 0.5 + (row - row % rowsPerWriter)) { "$index: $cell" }
            }
        }
    }

    private class TableState(box: Box, columnCount: Int) : Held(box) {
        private val columns = Array(columnCount) { DoubleArray(0) }

        override fun fill() = columns.indices.forEach { columns[it] = filled(it) }

        override fun clear() = columns.forEach { it.fill(Double.NaN) }

        override fun declare(state: StateBuilder) =
            state.table("rows") {
                for (column in columns.indices) column("c$column", { columns[column] }, { columns[column] = it })
                positionFree()
            }

        override fun check() = columns.indices.forEach { requireColumn(it, columns[it]) }
    }

    private val SHAPE = Shape.of(COLUMN_BYTES / Double.SIZE_BYTES)

    private suspend fun hoard(pool: FramePool, count: Int) {
        if (count > 0) pool.borrow { hoard(pool, count - 1) }
    }
}
