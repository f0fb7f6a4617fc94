package dev.cairn.concentrate

import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/** What a concentrator answers: whether it goes on, and in a read the bytes. */
internal object Answer {
    private const val GOES_ON: Byte = 1
    private const val HAS_FAILED: Byte = 0

    val GO: ByteBuffer = message(0).flip()

    /** The concentrator has failed, and wants nothing more. The call ends with its failure on all ranks. */
    val STOP: ByteBuffer = ByteBuffer.wrap(byteArrayOf(HAS_FAILED))

    /** A message that goes on, with room for [byteCount] bytes. */
    fun message(byteCount: Int): ByteBuffer = ByteBuffer.allocate(1 + byteCount).order(LITTLE_ENDIAN).put(GOES_ON)

    /** Whether the concentrator of [message] goes on. Afterwards the position is that of the bytes. */
    fun goesOn(message: ByteBuffer): Boolean = message.get() == GOES_ON
}
