package dev.cairn.reading

import dev.cairn.cells.CellDigest
import dev.cairn.cells.Cells
import dev.cairn.cells.RowDigester
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/** Some rows of a stored table: the [cells] of each column, little-endian. */
internal class RowWindow(
    private val columns: List<StoredColumn>,
    private val cells: List<ByteBuffer>,
    val rowCount: Int,
) {
    fun digest(): CellDigest =
        RowDigester.digest(columns.zip(cells) { column, each -> Cells.of(each, column.type.size) }, rowCount)

    /** The number that a row has in a column of ints or longs. */
    fun id(
        row: Int,
        column: Int,
    ): Long {
        val bytes = cells[column].duplicate().order(LITTLE_ENDIAN)
        return when (columns[column].type.size) {
            Int.SIZE_BYTES -> bytes.getInt(row * Int.SIZE_BYTES).toLong()
            else -> bytes.getLong(row * Long.SIZE_BYTES)
        }
    }

    /** The cells of one row, one behind the other. */
    fun row(row: Int): ByteBuffer = pack(row, 1)

    /** All rows one behind the other. */
    fun pack(): ByteBuffer = pack(0, rowCount)

    private fun pack(
        first: Int,
        count: Int,
    ): ByteBuffer {
        val rowSize = columns.sumOf { it.type.size }
        val rows = ByteBuffer.allocate(Math.multiplyExact(rowSize, count))
        var place = 0
        for ((column, each) in columns.zip(cells)) {
            val size = column.type.size
            for (row in 0 until count) rows.put(row * rowSize + place, each, (first + row) * size, size)
            place += size
        }
        return rows
    }
}
