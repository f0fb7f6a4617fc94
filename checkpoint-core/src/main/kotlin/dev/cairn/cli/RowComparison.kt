package dev.cairn.cli

import dev.cairn.reading.RowWindow
import dev.cairn.reading.StoredTable
import java.nio.ByteBuffer

/**
 * Compares two tables row by row, where each row has a number of its own in the column [ids]. Rows stand in any order and on any
 * ranks, so one table is held in memory, in as many parts as keep each below a bound, and the other is read for each part.
 */
internal class RowComparison(
    private val a: StoredTable,
    private val b: StoredTable,
    private val ids: Int,
    mostBytes: Long = MOST_BYTES,
) {
    private val rowSize = a.columns.sumOf { it.elementType.size }
    private val partCount = Math.toIntExact(a.countElements() * (rowSize + ROW_OVERHEAD) / mostBytes + 1)
    private val ofColumns = a.columns.map { CellComparison(it.elementType, it.meaning) }
    private var count = 0L
    private var first: Difference? = null

    private class Difference(val id: Long, val text: String)

    fun run(): ComparedItem {
        repeat(partCount, ::comparePart)
        val largest = ofColumns.mapNotNull { it.largestDifference() }.reduceOrNull(::maxOf)
        val rowCount = maxOf(a.countElements(), b.countElements())
        return ComparedItem(a.name, rowCount, count, largest?.toString(), first?.text)
    }

    private fun comparePart(part: Int) {
        val rows = HashMap<Long, ByteBuffer>()
        a.forEachRow(part) { id, row ->
            if (rows.put(id, row) != null) differs(id, "is twice in A")
        }
        b.forEachRow(part) { id, row ->
            val other = rows.remove(id)
            if (other == null) differs(id, "is only in B") else compare(id, other, row)
        }
        rows.keys.forEach { differs(it, "is only in A") }
    }

    /** The rows whose ids fall into [part]. */
    private fun StoredTable.forEachRow(part: Int, use: (id: Long, row: ByteBuffer) -> Unit) =
        forEachWindow { window -> window.rowsOf(part).forEach { use(window.id(it, ids), window.row(it)) } }

    private fun RowWindow.rowsOf(part: Int): List<Int> =
        (0 until rowCount).filter { Math.floorMod(id(it, ids), partCount) == part }

    private fun compare(id: Long, one: ByteBuffer, other: ByteBuffer) {
        if (one == other) return
        var place = 0
        val columns = mutableSetOf<String>()
        for ((column, cells) in a.columns.zip(ofColumns)) {
            val before = cells.count
            cells.add(
                one.slice(place, column.elementType.size),
                other.slice(place, column.elementType.size),
                firstIndex = id,
            )
            if (cells.count > before) columns += column.title
            place += column.elementType.size
        }
        differs(id, columns.joinToString())
    }

    private fun differs(id: Long, how: String) {
        count++
        if (first.let { it == null || id < it.id }) first = Difference(id, "id $id: $how")
    }
}

private const val MOST_BYTES = 64L shl 20

/** What a row takes in a map beside its cells. */
private const val ROW_OVERHEAD = 150L
