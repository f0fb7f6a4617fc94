package dev.cairn.comm

import dev.cairn.comm.Communicator.Companion.LARGEST_TAG

/** The collectives; [text] is their name in messages. */
internal enum class Operation(
    val text: String,
) {
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

internal fun Communicator.requireRank(
    role: String,
    number: Int,
) = require(number in 0 until size) { "$role is rank $number, but $name has the ranks 0 to ${size - 1}" }

internal fun requireTag(tag: Int) =
    require(tag in 0..LARGEST_TAG) {
        "the tag is $tag; tags run from 0 to $LARGEST_TAG"
    }

/** The payload of the root of [operation]; it must not be null. */
internal fun <T : Any> payloadOfRoot(
    operation: Operation,
    payload: T?,
): T = requireNotNull(payload) { "the root of a ${operation.text} must pass the payload for the other ranks" }

internal fun <T> Communicator.requireOnePerRank(payloads: List<T>) =
    require(payloads.size == size) {
        "$name has $size ranks, but ${payloads.size} payloads were passed; pass one for each rank"
    }
