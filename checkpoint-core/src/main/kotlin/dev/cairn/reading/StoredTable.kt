package dev.cairn.reading

import dev.cairn.CheckpointException
import dev.cairn.cells.CellDigest
import dev.cairn.state.ElementType
import dev.cairn.state.LAYOUT_IDS
import dev.cairn.state.TableOfContents
import dev.cairn.state.elementTypeOf
import dev.cairn.store.ManifestItem
import java.nio.ByteBuffer

/** A bag of rows, of which each column is stored by itself. While it is read, a frame of each column is in memory. */
internal class StoredTable(
    described: ManifestItem,
    key: Int,
    state: StoredState,
) : StoredItem(described, key, state) {
    val columns: List<StoredColumn> =
        described.columns.zip(keys) { column, columnKey ->
            StoredColumn(column.name, checkNotNull(elementTypeOf(column.elementType)), columnKey)
        }

    /** The place of the column whose numbers differ in all rows; null if nobody promised that of one. */
    val idColumn: Int? = columns.indexOfFirst { it.name == described.layout[LAYOUT_IDS] }.takeIf { it >= 0 }

    override fun elementCount() = (0 until rankCount).sumOf(::rowCount)

    fun rowCount(rank: Int): Long = columns.first().let { state.size(rank, it.key) / it.type.size }

    override fun digest(): CellDigest {
        var sum = CellDigest.NONE
        forEachWindow { sum = sum.plus(it.digest()) }
        return sum
    }

    /** Hands out all rows, those of rank 0 first, each rank's in their order; [use] keeps no window. */
    fun forEachWindow(use: (RowWindow) -> Unit) {
        for (rank in 0 until rankCount) {
            columns.forEach { requireRows(it, rank) }
            val readers = columns.map { ColumnReader(it, rank) }
            for (first in 0 until rowCount(rank) step WINDOW_ROWS) {
                val count = minOf(WINDOW_ROWS, rowCount(rank) - first).toInt()
                use(RowWindow(columns, readers.map { it.cells(first, count) }, count))
            }
        }
    }

    private fun requireRows(
        column: StoredColumn,
        rank: Int,
    ) {
        val expected = rowCount(rank) * column.type.size
        val found = state.size(rank, column.key)
        if (found != expected) {
            val item = "$name.${column.name}"
            throw CheckpointException.WrongCount(state.file, item, "$expected bytes of rank $rank", "$found")
        }
    }

    /** A column of one rank from front to back: each frame is read once. */
    private inner class ColumnReader(
        private val column: StoredColumn,
        private val rank: Int,
    ) {
        private val size = state.size(rank, column.key)
        private val frame = ByteBuffer.allocate(minOf(size, FRAME_SIZE).toInt())
        private var index = -1

        /** Windows never reach into two frames: a frame has as many rows, or a multiple of that. */
        fun cells(
            firstRow: Long,
            count: Int,
        ): ByteBuffer {
            val start = firstRow * column.type.size
            val wanted = (start / FRAME_SIZE).toInt()
            if (wanted != index) read(wanted)
            return frame.slice((start % FRAME_SIZE).toInt(), count * column.type.size)
        }

        private fun read(wanted: Int) {
            frame.clear().limit(minOf(FRAME_SIZE, size - wanted * FRAME_SIZE).toInt())
            state.readFrame(rank, column.key, wanted, frame)
            index = wanted
        }
    }

    private companion object {
        const val FRAME_SIZE = TableOfContents.FRAME_SIZE.toLong()

        /** What a frame holds of the widest cells. */
        const val WINDOW_ROWS = FRAME_SIZE / Long.SIZE_BYTES
    }
}

/** One column of a table. */
internal class StoredColumn(
    val name: String,
    val type: ElementType,
    val key: Int,
)
