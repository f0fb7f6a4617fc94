package dev.cairn.cli

/** Rows of cells as lines of text, each column as wide as its widest cell. Numbers are right-aligned. */
internal fun columns(rows: List<List<String>>): List<String> {
    val widths = rows.first().indices.map { column -> rows.maxOf { it[column].length } }
    return rows.map { row -> row.zip(widths, ::padded).joinToString("  ").trimEnd() }
}

private fun padded(
    cell: String,
    width: Int,
) = if (cell.toBigDecimalOrNull() == null) cell.padEnd(width) else cell.padStart(width)
