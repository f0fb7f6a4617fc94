package dev.cairn.concentrate

/** The tags of messages between ranks and concentrators. */
internal object ConcentratorTags {
    /** From a rank to a concentrator. */
    const val PIECE = 3

    /** From a concentrator to a rank. */
    const val ANSWER = 4
}
