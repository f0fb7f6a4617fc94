package dev.cairn.cli

import dev.cairn.checkpoint.wrongCount
import dev.cairn.reading.RowWindow
import dev.cairn.reading.StoredTable
import dev.cairn.state.Meaning
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/** The rows of a stored table as the records of a NumPy file: constants by their names, all else as it is stored. */
internal class NpyRecords(private val table: StoredTable) {
    private val cells = table.columns.map(::cellsOf)
    private val recordSize = cells.sumOf { it.size }

    /** The type of a record. The parts of a text lie one behind the other, so together they are its bytes. */
    val type: String =
        recordType(
            table.columns.zip(cells).mapNotNull { (column, cells) ->
                when (val meaning = column.meaning) {
                    is Meaning.TextPart -> (meaning.column to textType(meaning.storedSize)).takeIf { meaning.part == 0 }
                    is Meaning.Constants -> column.name to textType(cells.size)
                    else -> column.name to cellType(column.elementType)
                }
            },
        )

    /** The records of a window, one behind the other. */
    fun pack(window: RowWindow): ByteBuffer {
        val records = ByteBuffer.allocate(Math.multiplyExact(recordSize, window.rowCount))
        var place = 0
        for ((cells, stored) in cells.zip(window.cells)) {
            for (row in 0 until window.rowCount) cells.copy(stored, row, records, row * recordSize + place)
            place += cells.size
        }
        return records
    }

    /** The cells of one column in a record, of [size] bytes each; [copy] puts that of a row at its place. */
    private class Cells(val size: Int, val copy: (from: ByteBuffer, row: Int, to: ByteBuffer, place: Int) -> Unit)

    private fun cellsOf(column: StoredTable.Column): Cells {
        val size = column.elementType.size
        val constants = column.meaning as? Meaning.Constants
        val names = constants?.constants?.map(String::encodeToByteArray)
        if (names == null) return Cells(size) { from, row, to, place -> to.put(place, from, row * size, size) }
        // A name is filled up with zeros.
        return Cells(names.maxOf { it.size }) { from, row, to, place ->
            val number = if (size == 1) from.get(row).toInt() else from.shortAt(row * size)
            to.put(place, names.getOrNull(number) ?: throw noSuchPlace(column, number, names.size))
        }
    }

    private fun ByteBuffer.shortAt(position: Int) = duplicate().order(LITTLE_ENDIAN).getShort(position).toInt()

    private fun noSuchPlace(column: StoredTable.Column, number: Int, count: Int) =
        wrongCount(table.state.file, "${table.name}.${column.name}", "places of $count constants", "the place $number")
}
