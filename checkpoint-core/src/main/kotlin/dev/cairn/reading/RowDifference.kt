package dev.cairn.reading

import dev.cairn.item.Row
import dev.cairn.state.Meaning

/**
 * Finds the first row in which two tables differ: by their ids if they have some, then in their order if they are of the same number of
 * ranks, and otherwise one that only one of them has. All rows are in memory.
 */
internal class RowDifference(private val one: StoredTable, private val other: StoredTable) {
    private val columns =
        one.columns.filter { column ->
            column.meaning.let { it !is Meaning.TextPart || it.part == 0 }
        }

    private class TextRow(val place: String, val cells: List<String>)

    fun first(): FirstDifference? {
        if (one.columns.map { "$it" } != other.columns.map { "$it" }) return null
        val byId = if (one.idColumn == null) null else byPlace(rowsById(one), rowsById(other))
        return when {
            byId != null -> byId
            one.rankCount == other.rankCount -> byPlace(rowsInOrder(one), rowsInOrder(other))
            else -> asBags(rowsInOrder(one), rowsInOrder(other))
        }
    }

    private fun byPlace(mine: List<TextRow>, its: List<TextRow>): FirstDifference? {
        val others = its.associateBy { it.place }
        val row = mine.find { others[it.place]?.cells != it.cells }
        if (row == null) {
            val places = mine.mapTo(HashSet()) { it.place }
            return its.find { it.place !in places }?.let { FirstDifference(it.place, null, "there") }
        }
        val found = others[row.place] ?: return FirstDifference(row.place, "there", null)
        val column = row.cells.indices.first { row.cells[it] != found.cells[it] }
        return FirstDifference(
            "${row.place}, column '${columns[column].title}'",
            row.cells[column],
            found.cells[column],
        )
    }

    private fun asBags(mine: List<TextRow>, its: List<TextRow>): FirstDifference? {
        only(mine, its)?.let { return FirstDifference(inWords(it), "there", null) }
        return only(its, mine)?.let { FirstDifference(inWords(it), null, "there") }
    }

    private fun only(rows: List<TextRow>, others: List<TextRow>): TextRow? {
        val left = others.groupingBy { it.cells }.eachCountTo(HashMap())
        return rows.find { row -> left.merge(row.cells, -1, Int::plus).let { it == null || it < 0 } }
    }

    private fun inWords(row: TextRow) =
        columns
            .zip(
                row.cells,
            ) { column, cell -> "${column.title} = $cell" }
            .joinToString(prefix = "a row (", postfix = ")")

    private fun rowsById(table: StoredTable): List<TextRow> {
        val id = table.columns[checkNotNull(table.idColumn)]
        val index = columns.indexOfFirst { it.title == id.title }
        return rows(table) { _, cells -> "the row with the ${id.title} ${cells[index]}" }
    }

    private fun rowsInOrder(table: StoredTable): List<TextRow> {
        val starts = (0 until table.rankCount).runningFold(0L) { start, rank -> start + table.rowCount(rank) }
        return rows(table) { number, _ ->
            val rank = starts.indexOfLast { it <= number }
            val ofRank = if (table.rankCount == 1) "" else " of rank $rank"
            "row ${number - starts[rank]}$ofRank"
        }
    }

    private fun rows(table: StoredTable, place: (number: Long, cells: List<String>) -> String): List<TextRow> =
        buildList {
            table.forEachRow { row ->
                val cells = columns.map { textOf(row, it) }
                add(TextRow(place(size.toLong(), cells), cells))
            }
        }

    private fun textOf(row: Row, column: StoredTable.Column): String =
        when (val meaning = column.meaning) {
            is Meaning.TextPart -> "\"${row.getText(column.title)}\""
            is Meaning.Constants -> meaning.constants[(row.cell(column.name) as Number).toInt()]
            is Meaning.ListChecksum -> "a list with the checksum ${row.cell(column.name)}"
            is Meaning.Number -> "${row.cell(column.name)}"
        }
}
