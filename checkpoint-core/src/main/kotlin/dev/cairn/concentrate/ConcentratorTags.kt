package dev.cairn.concentrate

import dev.cairn.comm.Communicator

/** The tags of messages between ranks and concentrators: large ones, which programs hardly use. */
internal object ConcentratorTags {
    /** From a rank to a concentrator. */
    const val PIECE = Communicator.LARGEST_TAG - 4

    /** From a concentrator to a rank. */
    const val ANSWER = Communicator.LARGEST_TAG - 5
}
