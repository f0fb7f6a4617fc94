package dev.cairn.examples.existing

import java.nio.file.Path
import kotlin.io.path.readLines
import kotlin.io.path.readText

internal fun linesOf(folder: Path, program: String): List<String> = folder.resolve("$program.java").readLines()

/** What a page shows as a diff, from top to bottom. */
internal fun diffsIn(page: Path): List<String> =
    page
        .readText()
        .split("```diff\n")
        .drop(1)
        .map { it.substringBefore("\n```") }

/** What becomes of the lines of [before] in [after], with one line around each change. */
internal fun diff(before: List<String>, after: List<String>): List<String> {
    val all = marked(before, after)
    val shown = all.indices.filter { at -> (at - 1..at + 1).any { all.getOrNull(it)?.first() in setOf('+', '-') } }
    return shown.flatMapIndexed { index, at ->
        if (index > 0 && shown[index - 1] < at - 1) listOf("@@", all[at]) else listOf(all[at])
    }
}

/** All lines of both, those of a longest common subsequence once. */
private fun marked(before: List<String>, after: List<String>): List<String> {
    val common = Array(before.size + 1) { IntArray(after.size + 1) }
    for (i in before.indices.reversed()) {
        for (j in after.indices.reversed()) {
            common[i][j] =
                if (before[i] == after[j]) common[i + 1][j + 1] + 1 else maxOf(common[i + 1][j], common[i][j + 1])
        }
    }
    val lines = ArrayList<String>()
    var (i, j) = 0 to 0
    while (i < before.size || j < after.size) {
        when {
            i < before.size && j < after.size && before[i] == after[j] -> lines += " ${before[i++]}".also { j++ }
            j == after.size || (i < before.size && common[i + 1][j] >= common[i][j + 1]) -> lines += "-${before[i++]}"
            else -> lines += "+${after[j++]}"
        }
    }
    return lines
}
