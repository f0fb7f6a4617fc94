package dev.cairn.benchmarks.sections

import dev.cairn.grid.Box
import dev.cairn.grid.Shape

/**
 * An array of [byteCount] bytes, in which each rank owns a block of columns: in row-major order, each row has [runBytes]
 * bytes of each rank, one behind the other. Each cell is a double with the cell's number.
 */
internal class ColumnBlocks(val byteCount: Long, val rankCount: Int, val runBytes: Int) {
    val rowBytes = runBytes.toLong() * rankCount
    val rowCount = (byteCount / rowBytes).toInt()
    private val columnCount = runBytes / Double.SIZE_BYTES

    /** The cells of a row. */
    val rowCells = columnCount * rankCount
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
}
