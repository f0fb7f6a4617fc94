package dev.cairn.concentrate

import java.nio.ByteBuffer

/** Bytes of sub-files: a list of places and lengths that grows, without an object for each. */
internal class Extents {
    var count = 0
        private set
    private var subFiles = IntArray(FIRST_SIZE)
    private var locals = LongArray(FIRST_SIZE)
    private var lengths = IntArray(FIRST_SIZE)

    /** The bytes of all extents. */
    var byteCount = 0L
        private set

    fun subFile(index: Int): Int = subFiles[index]

    fun local(index: Int): Long = locals[index]

    fun length(index: Int): Int = lengths[index]

    fun end(index: Int): Long = locals[index] + lengths[index]

    /** Adds an extent, or lengthens the last one if this one goes on where that ends. */
    fun add(subFile: Int, local: Long, length: Int) {
        byteCount += length
        val last = count - 1
        if (last >= 0 && subFiles[last] == subFile && end(last) == local && lengths[last] <= Int.MAX_VALUE - length) {
            lengths[last] += length
            return
        }
        if (count == subFiles.size) grow()
        subFiles[count] = subFile
        locals[count] = local
        lengths[count++] = length
    }

    fun clear() {
        count = 0
        byteCount = 0
    }

    /** The bytes that [write] needs. */
    val encodedSize: Long get() = Int.SIZE_BYTES + count.toLong() * ENCODED_SIZE

    fun write(target: ByteBuffer) {
        target.putInt(count)
        for (index in 0 until count) {
            target.putInt(subFiles[index]).putLong(locals[index]).putInt(lengths[index])
        }
    }

    private fun grow() {
        subFiles = subFiles.copyOf(2 * count)
        locals = locals.copyOf(2 * count)
        lengths = lengths.copyOf(2 * count)
    }

    companion object {
        private const val FIRST_SIZE = 16
        private const val ENCODED_SIZE = 2 * Int.SIZE_BYTES + Long.SIZE_BYTES

        fun read(source: ByteBuffer): Extents {
            val count = source.getInt()
            require(count >= 0 && count.toLong() * ENCODED_SIZE <= source.remaining()) {
                "$count extents do not fit into the ${source.remaining()} bytes of their message"
            }
            val extents = Extents()
            repeat(count) { extents.add(source.getInt(), source.getLong(), source.getInt()) }
            return extents
        }
    }
}
