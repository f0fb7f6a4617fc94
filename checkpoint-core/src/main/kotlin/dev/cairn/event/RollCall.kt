package dev.cairn.event

import dev.cairn.event.RanksMissingException.Absentee

/** The ranks that reached a call, and those that did not; see [RanksMissingException]. */
internal class RollCall(val call: String, val presentCount: Int, val absentees: List<Absentee>, val reason: String) {
    /** The roll call as a sentence; long lists are cut. */
    override fun toString(): String =
        buildString {
            append("$call: ${missing()} did not arrive ($reason). ")
            append(absentees.take(NAMED_COUNT).joinToString("; "))
            if (absentees.size > NAMED_COUNT) append("; and ${absentees.size - NAMED_COUNT} more")
        }

    private fun missing() =
        if (absentees.isEmpty()) "all ranks arrived, but a message" else rankText(absentees.map { it.rank })
}

private const val NAMED_COUNT = 16

/** "rank 3", "ranks 0-2, 5", or the first few ranges and how many ranks more. [ranks] are in ascending order. */
internal fun rankText(ranks: List<Int>): String {
    val shown = runsOf(ranks).take(SHOWN_RUNS)
    val left = ranks.size - shown.sumOf { it.count() }
    return (if (ranks.size == 1) "rank " else "ranks ") + inWords(shown) + if (left > 0) " and $left more" else ""
}

/** The ranks that follow each other, of [ranks] in ascending order. */
internal fun runsOf(ranks: List<Int>): List<IntRange> {
    val runs = ArrayList<IntRange>()
    for (rank in ranks) {
        val first = if (runs.lastOrNull()?.last == rank - 1) runs.removeAt(runs.lastIndex).first else rank
        runs.add(first..rank)
    }
    return runs
}

internal fun inWords(runs: List<IntRange>): String =
    runs.joinToString { if (it.first == it.last) "${it.first}" else "${it.first}-${it.last}" }

private const val SHOWN_RUNS = 12
