package dev.cairn.concentrate

import java.nio.ByteBuffer

/** The bytes of a logical file that one rank writes or reads in one call, and where they are in its memory. */
internal interface Request {
    /** Behind the last byte of the request; 0 if it is empty. */
    val end: Long

    /** Whether the bytes are in memory, where any thread may copy them while the call lasts. */
    val isInMemory: Boolean

    /** The first byte of the request at [from] or behind it; [NONE] if there is none. */
    fun nextByte(from: Long): Long

    /** Visits the extents of the request between [from] and [to], which do not overlap. */
    fun forEachExtent(from: Long, to: Long, visit: (offset: Long, length: Int) -> Unit)

    /** Puts the bytes of these extents into [target], in the order of [forEachExtent]. */
    fun copyTo(target: ByteBuffer, from: Long, to: Long)

    /** Puts the bytes of these extents to their places in [target], whose first byte is that at [from]. */
    fun copyInto(target: ByteBuffer, from: Long, to: Long)

    /** Takes the bytes of these extents out of [source], in the order of [forEachExtent]. */
    fun copyFrom(source: ByteBuffer, from: Long, to: Long)

    companion object {
        const val NONE = Long.MAX_VALUE
    }
}
