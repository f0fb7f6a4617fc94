package dev.cairn.base

import java.nio.ByteBuffer

/** Writes to [target], which is little-endian and large enough. */
internal class StructureWriter(
    private val target: ByteBuffer,
) : StructureIo {
    override fun u8(value: Int): Int = value.also { target.put(it.toByte()) }

    override fun u32(value: Int): Int = value.also { target.putInt(it) }

    override fun u64(value: Long): Long = value.also { target.putLong(it) }

    override fun bytes(value: ByteBuffer): ByteBuffer = value.also { target.putInt(it.remaining()).put(it.duplicate()) }

    override fun longs(values: LongArray): LongArray =
        values.also {
            target.putInt(it.size)
            it.forEach(target::putLong)
        }

    override fun <T> list(
        values: List<T>,
        structure: Structure<T>,
    ): List<T> = values.also { u32(it.size) }.onEach { structure.pass(this, it) }
}
