package dev.cairn.event

import dev.cairn.event.RanksMissingException.Absentee

/** The ranks that reached a call, and those that did not; see [RanksMissingException]. */
internal class RollCall(
    val call: String,
    val presentCount: Int,
    val absentees: List<Absentee>,
    val reason: String,
) {
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
    val ranges = ArrayList<IntRange>()
    for (rank in ranks) {
        val first = if (ranges.lastOrNull()?.last == rank - 1) ranges.removeAt(ranges.lastIndex).first else rank
        ranges.add(first..rank)
    }
    val shown = ranges.take(SHOWN_RANGES)
    val left = ranks.size - shown.sumOf { it.count() }
    val text = shown.joinToString(", ") { if (it.first == it.last) "${it.first}" else "${it.first}-${it.last}" }
    return (if (ranks.size == 1) "rank " else "ranks ") + text + if (left > 0) " and $left more" else ""
}

private const val SHOWN_RANGES = 12
