package dev.cairn.concentrate

import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/**
 * What one rank sends to one concentrator for one window. In a read these are extents, and in a write, for each slice of the window,
 * extents and their bytes.
 *
 * @property next the window of the next piece from this rank to this concentrator; [Request.NONE] if this is the last one
 * @property rest from its position on, what was not read yet
 */
internal class WindowPiece(val next: Long, val rest: ByteBuffer) {
    /** The extents at the start of the [rest], which then begins with what follows them. */
    fun readExtents(): Extents = Extents.read(rest)

    companion object {
        /** The message that says only which window comes [next]. */
        fun announcement(next: Long): ByteBuffer = message(next, 0, ReusedMemory(ByteBuffer::allocate)).flip()

        /** A message in [memory], with room for [byteCount] bytes from its position on. */
        fun message(next: Long, byteCount: Long, memory: ReusedMemory): ByteBuffer {
            val size = Long.SIZE_BYTES + byteCount
            require(size <= LARGEST) { "a window that sends $size bytes in one message is too large. Make it smaller" }
            return memory.take(size).order(LITTLE_ENDIAN).putLong(next)
        }

        fun read(message: ByteBuffer): WindowPiece = WindowPiece(message.getLong(), message)

        private const val LARGEST = Int.MAX_VALUE - 8L
    }
}
