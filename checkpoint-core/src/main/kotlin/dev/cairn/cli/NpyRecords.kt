package dev.cairn.cli

import dev.cairn.checkpoint.wrongCount
import dev.cairn.codec.Meaning
import dev.cairn.reading.RowWindow
import dev.cairn.reading.StoredColumn
import dev.cairn.reading.StoredTable
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/** The rows of a stored table as the records of a NumPy file: constants by their names, all else as it is stored. */
internal class NpyRecords(
    private val table: StoredTable,
) {
    private val cells = table.columns.map(::cellsOf)
    private val recordSize = cells.sumOf { it.size }

    /** The type of a record. The parts of a text lie one behind the other, so together they are its bytes. */
    val type: String =
        recordTypeOf(
            table.columns.zip(cells).mapNotNull { (column, cells) ->
                when (val meaning = column.meaning) {
                    is Meaning.TextPart -> (meaning.column to textType(meaning.storedSize)).takeIf { meaning.part == 0 }
                    is Meaning.Constants -> column.name to textType(cells.size)
                    is Meaning.Number -> column.name to cellType(column.elementType)
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

    private fun cellsOf(column: StoredColumn): Cells =
        when (val meaning = column.meaning) {
            is Meaning.Constants -> NamedCells(column, meaning.constants.map(String::encodeToByteArray))
            else -> StoredCells(column.elementType.size)
        }

    /** The conversion of the cells of one column. */
    private interface Cells {
        val size: Int

        fun copy(
            from: ByteBuffer,
            row: Int,
            to: ByteBuffer,
            place: Int,
        )
    }

    private class StoredCells(
        override val size: Int,
    ) : Cells {
        override fun copy(
            from: ByteBuffer,
            row: Int,
            to: ByteBuffer,
            place: Int,
        ) {
            to.put(place, from, row * size, size)
        }
    }

    /** A name is filled up with zeros. */
    private inner class NamedCells(
        private val column: StoredColumn,
        private val names: List<ByteArray>,
    ) : Cells {
        override val size = names.maxOf { it.size }

        override fun copy(
            from: ByteBuffer,
            row: Int,
            to: ByteBuffer,
            place: Int,
        ) {
            val number = if (column.elementType.size == 1) from.get(row).toInt() else numberOfTwoBytes(from, row)
            to.put(place, names.getOrNull(number) ?: throw noSuchPlace(number))
        }

        private fun numberOfTwoBytes(
            from: ByteBuffer,
            row: Int,
        ) = from
            .duplicate()
            .order(LITTLE_ENDIAN)
            .getShort(row * Short.SIZE_BYTES)
            .toInt()

        private fun noSuchPlace(number: Int) =
            wrongCount(
                table.state.file,
                "${table.name}.${column.name}",
                "places of ${names.size} constants",
                "the place $number",
            )
    }
}
