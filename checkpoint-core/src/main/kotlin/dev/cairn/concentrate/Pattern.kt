package dev.cairn.concentrate

import java.nio.ByteBuffer

/** The bytes between two places of a file, where those of [cell] are repeated. */
internal class Pattern(private val from: Long, override val end: Long, private val cell: ByteBuffer) : Request {
    override val isInMemory: Boolean get() = true

    override fun nextByte(from: Long): Long = maxOf(from, this.from).let { if (it < end) it else Request.NONE }

    override fun forEachExtent(from: Long, to: Long, visit: (offset: Long, length: Int) -> Unit) {
        val start = maxOf(from, this.from)
        if (start < minOf(to, end)) visit(start, Math.toIntExact(minOf(to, end) - start))
    }

    override fun copyTo(target: ByteBuffer, from: Long, to: Long) =
        forEachExtent(from, to) { offset, length ->
            for (place in offset until offset + length) target.put(cell[((place - this.from) % cell.limit()).toInt()])
        }

    override fun copyInto(target: ByteBuffer, from: Long, to: Long) {
        val start = maxOf(from, this.from)
        if (start < minOf(to, end)) copyTo(target.duplicate().position((start - from).toInt()), start, to)
    }

    override fun copyFrom(source: ByteBuffer, from: Long, to: Long): Unit =
        throw UnsupportedOperationException("a pattern is only written")
}
