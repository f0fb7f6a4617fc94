package dev.cairn.ranks

import dev.cairn.event.rankText
import dev.cairn.ranks.Communicator.Companion.LARGEST_TAG

/** The collectives; [text] is their name in messages. */
internal enum class Operation(val text: String) {
    BARRIER("barrier"),
    BROADCAST("broadcast"),
    GATHER("gather"),
    SCATTER("scatter"),
    ALL_GATHER("allGather"),
    ALL_TO_ALL("allToAll"),
    ALL_REDUCE("allReduce"),
    EX_SCAN("exScan"),
    SPLIT("split"),
    HOST_GROUP("hostGroup"),
    SETTLE("settle"),

    /** The check before another collective, which compares the calls of the ranks. */
    CHECK("check"),
    ;

    /** Whether the payloads of all ranks must have the same size. */
    val demandsEqualSizes: Boolean get() = this == ALL_REDUCE || this == EX_SCAN
}

internal fun Communicator.requireRank(role: String, number: Int) =
    require(number in 0 until size) { "$role is rank $number, but $name has the ranks 0 to ${size - 1}" }

internal fun requireTag(tag: Int) =
    require(tag in 0..LARGEST_TAG) {
        "the tag is $tag; tags run from 0 to $LARGEST_TAG"
    }

/** The payload of the root of [operation]; it must not be null. */
internal fun <T : Any> payloadOfRoot(operation: Operation, payload: T?): T =
    requireNotNull(payload) { "the root of a ${operation.text} must pass the payload for the other ranks" }

internal fun <T> Communicator.requireOnePerRank(payloads: List<T>) =
    require(payloads.size == size) {
        "$name has $size ranks, but ${payloads.size} payloads were passed; pass one for each rank"
    }

/** The root of a call that has none. */
internal const val NO_ROOT = -1

/** The name of a call in messages. */
internal fun callText(operation: String, number: Long, group: String, activity: String): String =
    "$operation #$number of $group" + if (activity.isEmpty()) "" else " during '$activity'"

/** The name of a call, and its root if it has one. */
internal fun rooted(call: String, root: Int): String = if (root == NO_ROOT) call else "$call with root $root"

internal fun callDifference(group: String, ranks: List<Int>, call: String, otherRank: Int, otherCall: String): String =
    "rank $otherRank calls $otherCall, but ${rankText(ranks)} ${if (ranks.size == 1) "calls" else "call"} $call. " +
        "All ranks of $group must make the same calls in the same order"

/** A sentence about ranks that disagree with rank 0 about the size; null if there are none. */
internal fun sizeDifference(call: String, sizes: List<Int>): String? {
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
