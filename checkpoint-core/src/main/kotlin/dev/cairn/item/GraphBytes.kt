package dev.cairn.item

import dev.cairn.redistribution.Cells
import dev.cairn.redistribution.Runs
import java.io.InputStream
import java.io.OutputStream
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/** The bytes of a graph are damaged, or were not written by a save. */
internal class DamagedGraph(flaw: String, cause: Throwable? = null) : IllegalArgumentException(flaw, cause)

/** Numbers of any size, little-endian, window by window. */
internal class GraphOutput(private val target: OutputStream) {
    private val window = ByteBuffer.allocate(WINDOW_SIZE).order(LITTLE_ENDIAN)
    private var drained = 0L

    val position: Long get() = drained + window.position()

    fun put(bits: Long, size: Int) {
        if (window.remaining() < Long.SIZE_BYTES) drain()
        val position = window.position()
        window.putLong(position, bits)
        window.position(position + size)
    }

    fun put(bytes: ByteArray) = put(Cells.of(bytes), bytes.size)

    fun put(cells: Cells, count: Int) {
        var from = 0
        while (from < count) {
            if (window.remaining() < Long.SIZE_BYTES) drain()
            val more = minOf(count - from, window.remaining() / cells.elementSize())
            cells.copyTo(window, Runs.row(from.toLong(), 0, more))
            window.position(window.position() + more * cells.elementSize())
            from += more
        }
    }

    fun drain() {
        target.write(window.array(), 0, window.position())
        drained += window.position()
        window.clear()
    }
}

/** Reads what [GraphOutput] has written, from a [source] with [length] bytes. */
internal class GraphInput(private val source: InputStream, private val length: Long) {
    private val window = ByteBuffer.allocate(WINDOW_SIZE).order(LITTLE_ENDIAN).limit(0)
    private var filled = 0L

    val left: Long get() = length - filled + window.remaining()

    /** The number of [size] bytes that is next, without a sign. */
    fun take(size: Int): Long {
        if (window.remaining() < Long.SIZE_BYTES) return takeLast(size)
        val position = window.position()
        val bits = window.getLong(position)
        window.position(position + size)
        return if (size == Long.SIZE_BYTES) bits else bits and ((1L shl (size * Byte.SIZE_BITS)) - 1)
    }

    /** At the end of the window, behind which there may be none. */
    private fun takeLast(size: Int): Long {
        if (window.remaining() < size) fill(size)
        return bitsIn(window, window.position(), size).also { window.position(window.position() + size) }
    }

    /** The next [count] bytes, of which as many are [left]. */
    fun bytes(count: Int): ByteBuffer {
        val bytes = ByteArray(count)
        put(Cells.of(bytes), count)
        return ByteBuffer.wrap(bytes).order(LITTLE_ENDIAN)
    }

    fun put(cells: Cells, count: Int) {
        var done = 0
        while (done < count) {
            if (window.remaining() < cells.elementSize()) fill(cells.elementSize())
            val more = minOf(count - done, window.remaining() / cells.elementSize())
            cells.copyFrom(window, Runs.row(done.toLong(), 0, more))
            window.position(window.position() + more * cells.elementSize())
            done += more
        }
    }

    private fun fill(least: Int) {
        if (left < least) throw DamagedGraph("it ends too early")
        window.compact().limit(WINDOW_SIZE)
        val count = source.readNBytes(window.array(), window.position(), wanted())
        filled += count
        window.position(window.position() + count).flip()
        if (window.remaining() < least) throw DamagedGraph("it ends too early")
    }

    private fun wanted() = minOf(window.remaining().toLong(), length - filled).toInt()
}

/** The number of [size] bytes at a [position], without a sign. */
internal fun bitsIn(bytes: ByteBuffer, position: Int, size: Int): Long {
    var bits = 0L
    for (index in size - 1 downTo 0) bits = (bits shl Byte.SIZE_BITS) or (bytes.get(position + index).toLong() and 0xff)
    return bits
}

private const val WINDOW_SIZE = 1 shl 16
