package dev.cairn.comm

import dev.cairn.comm.Communicator.Companion.LARGEST_TAG

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
