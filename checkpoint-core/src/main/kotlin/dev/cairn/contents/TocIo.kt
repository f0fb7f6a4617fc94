package dev.cairn.contents

import java.nio.ByteBuffer

/**
 * The vocabulary of a table of contents. Each function writes the value that it is given and returns it, or reads one and
 * returns that; so one list of fields reads, writes and measures.
 */
internal interface TocIo {
    fun u32(value: Int): Int

    fun u64(value: Long): Long

    /** A list, led by its length. Each element takes at least [leastSize] bytes, so a length that cannot be is found. */
    fun <T> list(
        values: List<T>,
        leastSize: Int,
        blank: T,
        fields: (TocIo, T) -> T,
    ): List<T>
}

/** Counts the bytes of a list of fields. */
internal class TocMeter : TocIo {
    var size = 0L
        private set

    override fun u32(value: Int): Int = value.also { size += Int.SIZE_BYTES }

    override fun u64(value: Long): Long = value.also { size += Long.SIZE_BYTES }

    override fun <T> list(
        values: List<T>,
        leastSize: Int,
        blank: T,
        fields: (TocIo, T) -> T,
    ): List<T> = values.also { u32(it.size) }.onEach { fields(this, it) }
}

/** Writes to [target], which is little-endian and large enough. */
internal class TocWriter(
    private val target: ByteBuffer,
) : TocIo {
    override fun u32(value: Int): Int = value.also { target.putInt(it) }

    override fun u64(value: Long): Long = value.also { target.putLong(it) }

    override fun <T> list(
        values: List<T>,
        leastSize: Int,
        blank: T,
        fields: (TocIo, T) -> T,
    ): List<T> = values.also { u32(it.size) }.onEach { fields(this, it) }
}

/** Reads from [source], which is little-endian, and never beyond its end. */
internal class TocReader(
    private val source: ByteBuffer,
) : TocIo {
    override fun u32(value: Int): Int = source.apply { require(remaining() >= Int.SIZE_BYTES) { SHORT } }.getInt()

    override fun u64(value: Long): Long = source.apply { require(remaining() >= Long.SIZE_BYTES) { SHORT } }.getLong()

    override fun <T> list(
        values: List<T>,
        leastSize: Int,
        blank: T,
        fields: (TocIo, T) -> T,
    ): List<T> {
        val length = Integer.toUnsignedLong(u32(0))
        require(length * leastSize <= source.remaining()) {
            "a list of $length elements needs ${length * leastSize} bytes, but ${source.remaining()} are left"
        }
        return List(length.toInt()) { fields(this, blank) }
    }

    private companion object {
        const val SHORT = "it ends too early"
    }
}
