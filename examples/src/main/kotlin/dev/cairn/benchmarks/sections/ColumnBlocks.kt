package dev.cairn.benchmarks.sections

import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.DoubleBuffer
import java.nio.file.Path

/**
 * An array of [byteCount] bytes, in which each rank owns a block of columns: in row-major order, each row has [runBytes]
 * bytes of each rank, one behind the other. Each cell is a double with the cell's number.
 */
internal class ColumnBlocks(val byteCount: Long, val rankCount: Int, val runBytes: Int) {
    val rowBytes = runBytes.toLong() * rankCount
    val rowCount = (byteCount / rowBytes).toInt()
    private val columnCount = runBytes / Double.SIZE_BYTES
    val shape: Shape = Shape.of(rowCount.toLong(), columnCount.toLong() * rankCount)

    init {
        require(rowCount * rowBytes == byteCount) { "$byteCount bytes are not whole rows of $rowBytes bytes" }
    }

    fun box(rank: Int): Box =
        Box.of(longArrayOf(0, rank.toLong() * columnCount), longArrayOf(rowCount.toLong(), columnCount.toLong()))

    /** The cells of [box], new ones in each call. */
    fun cells(box: Box): DoubleArray {
        val width = box.extent(1).toInt()
        return DoubleArray(box.cellCount().toInt()) { cell ->
            ((box.start(0) + cell / width) * shape.extent(1) + box.start(1) + cell % width).toDouble()
        }
    }

    /** All cells, as a single writer has them. */
    val whole by lazy { DoubleArray(Math.toIntExact(shape.cellCount())) { it.toDouble() } }

    /** Fails unless [file] begins with the first [checkedRows] rows. */
    fun requireRows(file: Path, files: BlockStore, checkedRows: Int) {
        val buffer = ByteBuffer.allocate(CHECKED_BYTES).order(LITTLE_ENDIAN)
        val end = checkedRows * rowBytes
        files.open(file, Access.READ).use {
            for (position in 0 until end step CHECKED_BYTES.toLong()) {
                buffer.clear().limit(minOf(CHECKED_BYTES.toLong(), end - position).toInt())
                it.readFully(position, buffer)
                requireCells(file, buffer.flip().asDoubleBuffer(), (position / Double.SIZE_BYTES).toInt())
            }
        }
    }

    private fun requireCells(file: Path, cells: DoubleBuffer, first: Int) {
        val different = cells.mismatch(DoubleBuffer.wrap(whole, first, cells.remaining()))
        check(different < 0) { "$file: cell ${first + different} is wrong" }
    }

    private companion object {
        const val CHECKED_BYTES = 1 shl 20
    }
}
