package dev.cairn.event

/**
 * The ranks that reached a call, and those that did not.
 *
 * @property call the call that could not complete, and its activity
 * @property presentCount the number of ranks that arrived
 * @property absentees the missing ranks, lowest first
 * @property reason the reason for the end of the wait
 */
public class RollCall(
    public val call: String,
    public val presentCount: Int,
    public val absentees: List<Absentee>,
    public val reason: String,
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

    /** A missing rank. */
    public class Absentee(
        public val rank: Int,
        public val host: String,
        public val lastSeen: String,
    ) {
        /** The rank, its host and where it was last seen. */
        override fun toString(): String = "rank $rank on $host: $lastSeen"
    }

    private companion object {
        private const val NAMED_COUNT = 16
    }
}

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
