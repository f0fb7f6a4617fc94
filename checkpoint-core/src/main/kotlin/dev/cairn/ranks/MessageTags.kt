package dev.cairn.ranks

import dev.cairn.ranks.Communicator.Companion.LARGEST_TAG

/** The tags of the messages that Cairn sends, in one list so that none is used twice. */
internal object MessageTags {
    // In communicators that Cairn has split off for itself, where any tag is free.
    const val HALO = 0
    const val CELLS = 1
    const val ROWS = 2
    const val COPY_WINDOW = 3

    /** From a rank that computes to its dedicated rank. */
    const val DELIVERY = 4

    /** From a dedicated rank: there is room for a delivery, or how far the writing is. */
    const val DELIVERY_ANSWER = 5

    /** From a dedicated rank: what its process was asked for from outside, which its client has to do. */
    const val OUTSIDE_REQUEST = 6

    // In the communicator of the program, between two of its collectives: the largest tags, which programs hardly use.
    const val GROUP_QUESTION = LARGEST_TAG
    const val GROUP_ANSWER = LARGEST_TAG - 1
    const val COPY_READY = LARGEST_TAG - 2
    const val COPY_FRAME = LARGEST_TAG - 3

    /** From a rank to a concentrator. */
    const val WINDOW_PIECE = LARGEST_TAG - 4

    /** From a concentrator to a rank. */
    const val WINDOW_ANSWER = LARGEST_TAG - 5
}

/**
 * The layout of the 31 bits of a transport's tag: 15 bits for the context (the communicator), one that distinguishes collectives from
 * messages, and 15 bits for the caller's tag, or for the collective (4) and its number (the lowest 11).
 *
 * So ranks at different calls wait for each other instead of receiving the wrong bytes.
 */
internal object Tags {
    /** The number of communicators that one transport can distinguish. */
    const val CONTEXT_COUNT: Int = 1 shl 15

    /** Roll calls have the last context to themselves. */
    const val ROLL_CALL: Int = (CONTEXT_COUNT - 1) shl 16

    private const val COLLECTIVE = 1 shl 15
    private const val NUMBER_BITS = 11
    private const val NUMBER_MASK = (1L shl NUMBER_BITS) - 1

    fun ofMessage(context: Int, tag: Int): Int = (context shl 16) or tag

    fun ofCall(context: Int, call: MessageCommunicator.Call): Int =
        (context shl 16) or COLLECTIVE or (call.operation.ordinal shl NUMBER_BITS) or
            (call.number and NUMBER_MASK).toInt()

    fun contextOf(tag: Int): Int = tag ushr 16
}
