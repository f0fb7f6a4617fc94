package dev.cairn.concentrate

import java.nio.ByteBuffer

/** Several requests of one rank in one call, such as the boxes of some arrays. */
internal class JoinedRequest(private val parts: List<Request>) : Request {
    override val end: Long = parts.maxOfOrNull { it.end } ?: 0

    override val isInMemory: Boolean get() = parts.all { it.isInMemory }

    override fun nextByte(from: Long): Long = parts.minOfOrNull { it.nextByte(from) } ?: Request.NONE

    override fun forEachExtent(from: Long, to: Long, visit: (offset: Long, length: Int) -> Unit) =
        parts.forEach { it.forEachExtent(from, to, visit) }

    override fun copyTo(target: ByteBuffer, from: Long, to: Long) = parts.forEach { it.copyTo(target, from, to) }

    override fun copyInto(target: ByteBuffer, from: Long, to: Long) = parts.forEach { it.copyInto(target, from, to) }

    override fun copyFrom(source: ByteBuffer, from: Long, to: Long) = parts.forEach { it.copyFrom(source, from, to) }
}
