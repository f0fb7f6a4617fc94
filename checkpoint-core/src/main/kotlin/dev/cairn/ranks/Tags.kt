package dev.cairn.ranks

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

    fun ofMessage(
        context: Int,
        tag: Int,
    ): Int = (context shl 16) or tag

    fun ofCall(
        context: Int,
        call: MessageCommunicator.Call,
    ): Int =
        (context shl 16) or COLLECTIVE or (call.operation.ordinal shl NUMBER_BITS) or
            (call.number and NUMBER_MASK).toInt()

    fun contextOf(tag: Int): Int = tag ushr 16
}
