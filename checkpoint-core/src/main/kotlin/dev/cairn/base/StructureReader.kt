package dev.cairn.base

import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/** Reads from [source], which is little-endian, and never beyond its end. It makes room only for what [source] still holds. */
internal class StructureReader(
    private val source: ByteBuffer,
) : StructureIo {
    override fun u8(value: Int): Int = next(Byte.SIZE_BYTES).get().toInt() and 0xff

    override fun u32(value: Int): Int = next(Int.SIZE_BYTES).getInt()

    override fun u64(value: Long): Long = next(Long.SIZE_BYTES).getLong()

    override fun bytes(value: ByteBuffer): ByteBuffer {
        val size = length("bytes", elementSize = 1)
        val view = source.slice(source.position(), size).order(LITTLE_ENDIAN)
        source.position(source.position() + size)
        return view
    }

    override fun longs(values: LongArray): LongArray {
        val count = length("numbers", Long.SIZE_BYTES.toLong())
        return LongArray(count) { source.getLong() }
    }

    override fun <T> list(
        values: List<T>,
        structure: Structure<T>,
    ): List<T> = List(length("elements", structure.leastSize)) { structure.pass(this, structure.blank) }

    private fun next(size: Int): ByteBuffer = source.also { require(it.remaining() >= size) { "it ends too early" } }

    private fun length(
        what: String,
        elementSize: Long,
    ): Int {
        val length = Integer.toUnsignedLong(u32(0))
        require(length * elementSize <= source.remaining()) {
            "a list of $length $what needs ${length * elementSize} bytes, but ${source.remaining()} are left"
        }
        return length.toInt()
    }
}
