package dev.cairn.concentrate

import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/**
 * What one rank sends to one concentrator for one window: the extents and, in a write, their bytes.
 *
 * @property next the window of the next piece from this rank to this concentrator; [Request.NONE] if this is the last one
 * @property bytes from its position on
 */
internal class WindowPiece(
    val next: Long,
    val extents: Extents,
    val bytes: ByteBuffer,
) {
    companion object {
        /** The message that says only which window comes [next]. */
        fun announcement(next: Long): ByteBuffer =
            message(next, Extents(), 0, ReusedMemory(ByteBuffer::allocate)).flip()

        /** A message in [memory], with room for [byteCount] bytes from its position on, behind the extents. */
        fun message(
            next: Long,
            extents: Extents,
            byteCount: Long,
            memory: ReusedMemory,
        ): ByteBuffer {
            val size = Long.SIZE_BYTES + extents.encodedSize + byteCount
            require(size <= LARGEST) { "a window that sends $size bytes in one message is too large. Make it smaller" }
            val message = memory.take(size).order(LITTLE_ENDIAN).putLong(next)
            extents.write(message)
            return message
        }

        fun read(message: ByteBuffer): WindowPiece = WindowPiece(message.getLong(), Extents.read(message), message)

        private const val LARGEST = Int.MAX_VALUE - 8L
    }
}
