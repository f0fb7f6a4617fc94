package dev.cairn.comm

import dev.cairn.event.rankText

/** The root of a call that has none. */
internal const val NO_ROOT = -1

/** The name of a call in messages. */
internal fun callText(
    operation: String,
    number: Long,
    group: String,
    activity: String,
): String = "$operation #$number of $group" + if (activity.isEmpty()) "" else " during '$activity'"

/** The name of a call, and its root if it has one. */
internal fun rooted(
    call: String,
    root: Int,
): String = if (root == NO_ROOT) call else "$call with root $root"

internal fun callDifference(
    group: String,
    ranks: List<Int>,
    call: String,
    otherRank: Int,
    otherCall: String,
): String =
    "rank $otherRank calls $otherCall, but ${rankText(ranks)} ${if (ranks.size == 1) "calls" else "call"} $call. " +
        "All ranks of $group must make the same calls in the same order"

/** A sentence about ranks that disagree with rank 0 about the size; null if there are none. */
internal fun sizeDifference(
    call: String,
    sizes: List<Int>,
): String? {
    val different = sizes.indices.filter { sizes[it] != sizes[0] }
    if (different.isEmpty()) return null
    val others =
        different
            .map { sizes[it] }
            .distinct()
            .take(NAMED_SIZES)
            .joinToString(" or ")
    val bring = if (different.size == 1) "brings" else "bring"
    return "$call needs payloads of one size, but rank 0 passes ${sizes[0]} bytes, " +
        "and ${rankText(different)} $bring $others bytes"
}

private const val NAMED_SIZES = 8
