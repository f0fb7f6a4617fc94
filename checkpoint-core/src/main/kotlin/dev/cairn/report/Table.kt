package dev.cairn.report

/** A table of a report: rows of as many cells as the [head] has. */
internal class Table(
    val head: List<String>,
    val rows: List<List<String>>,
)
