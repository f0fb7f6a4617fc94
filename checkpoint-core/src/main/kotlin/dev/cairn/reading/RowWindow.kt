package dev.cairn.reading

import dev.cairn.item.Rows
import dev.cairn.redistribution.CellDigest
import dev.cairn.redistribution.Cells
import dev.cairn.redistribution.DigestFormula
import dev.cairn.redistribution.Runs
import dev.cairn.state.ArrayKind
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/**
 * Consecutive rows of a stored table: the [cells] of some of its columns, little-endian.
 *
 * @property firstRow the number of the first row in the table, in which those of rank 0 come first
 */
internal class RowWindow(
    private val columns: List<StoredTable.Column>,
    val cells: List<ByteBuffer>,
    val firstRow: Long,
    val rowCount: Int,
) {
    fun digest(formula: DigestFormula): CellDigest =
        formula.rows(columns.zip(cells) { column, each -> Cells.of(each, column.elementType.size) }, rowCount)

    /** The number of a row in a column of ints or longs. */
    fun id(row: Int, column: Int): Long {
        val bytes = cells[column].duplicate().order(LITTLE_ENDIAN)
        return when (columns[column].elementType.size) {
            Int.SIZE_BYTES -> bytes.getInt(row * Int.SIZE_BYTES).toLong()
            else -> bytes.getLong(row * Long.SIZE_BYTES)
        }
    }

    /** The cells of one row, one after another. */
    fun row(row: Int): ByteBuffer = pack(row, 1)

    /** All rows, one after another. */
    fun pack(): ByteBuffer = pack(0, rowCount)

    /** The rows as arrays of columns. */
    fun toRows(): Rows {
        val kinds = columns.map { ArrayKind.of(it.elementType) }
        val arrays = kinds.zip(cells) { kind, bytes -> arrayOf(kind, bytes) }
        return Rows(
            columns.map { it.declared },
            arrays.toMutableList(),
            rowCount,
        )
    }

    private fun <A : Any> arrayOf(kind: ArrayKind<A>, bytes: ByteBuffer): Any =
        kind.create(rowCount).also { kind.cells(it).copyFrom(bytes, Runs.row(0, 0, rowCount)) }

    private fun pack(first: Int, count: Int): ByteBuffer {
        val rowSize = columns.sumOf { it.elementType.size }
        val rows = ByteBuffer.allocate(Math.multiplyExact(rowSize, count))
        var place = 0
        for ((column, each) in columns.zip(cells)) {
            val size = column.elementType.size
            for (row in 0 until count) rows.put(row * rowSize + place, each, (first + row) * size, size)
            place += size
        }
        return rows
    }
}
