package dev.cairn.house

import java.nio.file.Path
import kotlin.io.path.extension
import kotlin.io.path.invariantSeparatorsPathString
import kotlin.io.path.readLines
import kotlin.io.path.relativeTo

/**
 * The lines of pages of [house] that look like rows of a table and are shown as text, as `file:line`. A table begins with its head and a
 * line of dashes, and ends with the first line that is no row, such as a blank one in its middle.
 */
fun lostRows(house: Path): List<String> =
    textFiles(house).filter { it.extension == "md" }.flatMap { page ->
        val name = page.relativeTo(house).invariantSeparatorsPathString
        lostRowsOf(page.readLines()).map { "$name:${it + 1}" }
    }

/** The first line, from 0 on, of each group of rows without a head. Blocks of code have no tables. */
private fun lostRowsOf(page: List<String>): List<Int> {
    var isCode = false
    val isRow =
        page.map { line ->
            if (line.trimStart().startsWith(FENCE)) isCode = !isCode
            !isCode && line.trimStart().startsWith(BAR)
        }
    val firsts = page.indices.filter { isRow[it] && !isRow.getOrElse(it - 1) { false } }
    return firsts.filterNot { page.getOrElse(it + 1) { "" }.trim().matches(UNDER_HEAD) }
}

private const val FENCE = "```"

private const val BAR = "|"

private val UNDER_HEAD = Regex("""\|(\s*:?-+:?\s*\|)+""")
