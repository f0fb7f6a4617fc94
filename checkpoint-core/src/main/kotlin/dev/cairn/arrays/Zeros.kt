package dev.cairn.arrays

import dev.cairn.concentrate.Request
import java.nio.ByteBuffer

/** Zeros between two arrays, so that each byte of a file is written. */
internal class Zeros(
    private val from: Long,
    override val end: Long,
) : Request {
    override fun nextByte(from: Long): Long = maxOf(from, this.from).let { if (it < end) it else Request.NONE }

    override fun forEachExtent(
        from: Long,
        to: Long,
        visit: (offset: Long, length: Int) -> Unit,
    ) {
        val start = maxOf(from, this.from)
        if (start < minOf(to, end)) visit(start, lengthOf(from, to))
    }

    override fun copyTo(
        target: ByteBuffer,
        from: Long,
        to: Long,
    ) = repeat(lengthOf(from, to)) { target.put(0) }

    override fun copyFrom(
        source: ByteBuffer,
        from: Long,
        to: Long,
    ): Unit = throw UnsupportedOperationException("the zeros between arrays are never read")

    private fun lengthOf(
        from: Long,
        to: Long,
    ): Int = maxOf(0, minOf(to, end) - maxOf(from, this.from)).toInt()
}
