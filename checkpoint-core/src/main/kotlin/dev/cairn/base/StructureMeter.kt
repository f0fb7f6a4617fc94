package dev.cairn.base

import java.nio.ByteBuffer

/** Counts the bytes of a list of fields. */
internal class StructureMeter : StructureIo {
    var size = 0L
        private set

    override fun u8(value: Int): Int = value.also { size += Byte.SIZE_BYTES }

    override fun u32(value: Int): Int = value.also { size += Int.SIZE_BYTES }

    override fun u64(value: Long): Long = value.also { size += Long.SIZE_BYTES }

    override fun bytes(value: ByteBuffer): ByteBuffer = value.also { size += Int.SIZE_BYTES + it.remaining() }

    override fun longs(values: LongArray): LongArray =
        values.also { size += Int.SIZE_BYTES + it.size.toLong() * Long.SIZE_BYTES }

    override fun <T> list(
        values: List<T>,
        structure: Structure<T>,
    ): List<T> = values.also { u32(it.size) }.onEach { structure.pass(this, it) }
}
