package dev.cairn.heap

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.FileBlockStore
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * The bytes of the dump [path] at any position, most significant first. Windows of it stay in memory, all of them if the heap has room.
 * Positions must lie in the file: the reader of the dump checks each record once.
 */
internal class DumpBytes(private val path: Path, mostWindows: Long = windowsInMemory()) : AutoCloseable {
    private val file = FileBlockStore().open(path, Access.READ)
    val size: Long = file.size()
    private val windows = arrayOfNulls<ByteBuffer>(windowsOf(size))
    private val inMemory = IntArray(minOf(windows.size.toLong(), mostWindows).toInt()) { NONE }
    private var next = 0

    fun byte(position: Long): Int = window(position).get(offset(position)).toInt() and 0xff

    fun short(position: Long): Int = window(position).getShort(offset(position)).toInt() and 0xffff

    fun int(position: Long): Int = window(position).getInt(offset(position))

    fun long(position: Long): Long = window(position).getLong(offset(position))

    fun bytes(position: Long, count: Int): ByteArray {
        val read = ByteArray(count)
        var done = 0
        while (done < count) {
            val part = minOf(count - done, WINDOW_BYTES - offset(position + done))
            window(position + done).get(offset(position + done), read, done, part)
            done += part
        }
        return read
    }

    private fun window(position: Long): ByteBuffer {
        val number = (position ushr WINDOW_BITS).toInt()
        return windows[number] ?: load(number)
    }

    private fun offset(position: Long) = position.toInt() and WINDOW_BYTES - 1

    /** In the place of the one that was loaded longest ago. Windows overlap, so that no number lies in two. */
    private fun load(number: Int): ByteBuffer {
        val oldest = inMemory[next]
        val reused = if (oldest == NONE) null else windows[oldest].also { windows[oldest] = null }
        val start = number.toLong() shl WINDOW_BITS
        val window = (reused ?: ByteBuffer.allocate(WINDOW_BYTES + Long.SIZE_BYTES)).clear()
        window.limit(minOf(window.capacity().toLong(), size - start).toInt())
        file.readFully(start, window)
        windows[number] = window
        inMemory[next] = number
        next = (next + 1) % inMemory.size
        return window
    }

    private fun windowsOf(size: Long): Int {
        if (size ushr WINDOW_BITS > MOST_WINDOWS) throw UnreadableDump(path, size, "it has more than 128 TiB")
        return ((size + WINDOW_BYTES - 1) ushr WINDOW_BITS).toInt()
    }

    override fun close() = file.close()

    private companion object {
        const val WINDOW_BITS = 16
        const val WINDOW_BYTES = 1 shl WINDOW_BITS
        const val MOST_WINDOWS = Int.MAX_VALUE - 8L
        const val NONE = -1

        /** For each of two dumps; the rest is for what is known of their objects. */
        fun windowsInMemory(): Long = maxOf(16L, Runtime.getRuntime().maxMemory() / 5 ushr WINDOW_BITS)
    }
}
