package dev.cairn.checkpoint

import dev.cairn.checkpoint.TableOfContents.Companion.RECORD_HEADER
import dev.cairn.sion.Content
import dev.cairn.sion.GlobalView
import java.nio.file.Path

/** Refuses a [task] of [data] whose records do not have the keys and lengths of [table], or that holds more than these. */
internal fun GlobalView.requireRecords(
    task: Int,
    table: TableOfContents,
    data: Path,
) {
    if (info().content() != Content.RECORDS) {
        throw strayTable(data, table.rank, "the multifile declares that it holds none")
    }
    val tableSize = table.encodedSize()
    val lengths = table.entries.filter { it.size > 0 }.map { it.key.toLong() to it.size }
    // A stream is written in several records of one key.
    val records = task(task).records().entries()
    val found = records.groupBy { it.key }.map { (key, parts) -> key to parts.sumOf { it.length } }
    if (found != lengths + (TableOfContents.KEY to tableSize)) {
        throw strayTable(data, table.rank, "their keys or lengths differ")
    }
    // Zeros behind the last record are read as empty records with the table's key, so only the size reveals a longer stream.
    val expected = table.entries.sumOf { it.storedSize } + RECORD_HEADER + tableSize
    val size = task(task).size()
    if (size == expected) return
    throw strayTable(data, table.rank, "they take $size bytes, not $expected")
}
