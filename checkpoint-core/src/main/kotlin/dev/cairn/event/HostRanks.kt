package dev.cairn.event

// The ranks of each host as short texts.

/** The ranks of each host, such as `node0` to `0-3, 8`, from the host of each rank. Empty if that takes more than [MOST_CHARACTERS]. */
internal fun ranksByHost(hosts: List<String>): Map<String, String> {
    val ranks = hosts.indices.groupBy { hosts[it] }.mapValues { (_, ranks) -> inWords(runsOf(ranks)) }
    return if (ranks.entries.sumOf { it.key.length + it.value.length } <= MOST_CHARACTERS) ranks else emptyMap()
}

/** The host of [rank]; null if it is not known. */
internal fun Map<String, String>.hostOf(rank: Int): String? =
    entries.find { (_, runs) -> runs.split(", ").any { rank in rangeOf(it) } }?.key

private fun rangeOf(run: String): IntRange {
    val ends = run.split("-").map { it.toIntOrNull() ?: return IntRange.EMPTY }
    return ends.first()..ends.last()
}

private const val MOST_CHARACTERS = 1 shl 15
