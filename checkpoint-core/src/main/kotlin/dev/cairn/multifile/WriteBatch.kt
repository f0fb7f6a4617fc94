package dev.cairn.multifile

import dev.cairn.sion.store.PositionedOutput
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * Writes to one file that wait until they are written or sent. Bytes are copied once; a write that continues the one before it
 * is joined with it if there is room behind that. Belongs to one rank.
 *
 * @param most the most bytes that it holds
 * @param memory allocates buffers with room for a number of bytes; null if there is no memory for them
 */
internal class WriteBatch(
    private val most: Long = Long.MAX_VALUE,
    private val memory: (byteCount: Long) -> List<ByteBuffer>? = { listOf(ByteBuffer.allocate(it.toInt())) },
) {
    private val held = ArrayDeque<PositionedBytes>()

    /** What is left of the last buffer; its position is the end of the last run, or 0 if that run is in another buffer. */
    private var room = NO_ROOM

    /** The number of bytes that it holds. */
    var byteCount = 0L
        private set

    /** The bytes of all writes for which there was no room. */
    var refusedCount = 0L
        private set

    /** In the order of the writes. */
    val runs: List<PositionedBytes> get() = held

    /** An output for the file [path]: its writes are [added][add], and those for which there is no room are [refused]. */
    inline fun output(
        path: Path,
        crossinline refused: (position: Long, source: ByteBuffer) -> Unit = { _, _ -> error("$path: no room") },
    ): PositionedOutput =
        object : PositionedOutput {
            override fun path() = path

            override fun write(position: Long, source: ByteBuffer) {
                if (!add(position, source)) refused(position, source)
            }
        }

    /** Takes all of [source], of which nothing may be left; returns false if there is no room for it. */
    fun add(position: Long, source: ByteBuffer): Boolean {
        val size = source.remaining()
        val buffers = buffersFor(size) ?: return false.also { refusedCount += size }
        byteCount += size
        if (size == 0 || room.hasRemaining()) put(position, source)
        for (buffer in buffers) {
            room = buffer
            put(position + size - source.remaining(), source)
        }
        return true
    }

    private fun buffersFor(byteCount: Int): List<ByteBuffer>? =
        when {
            byteCount > most - this.byteCount -> null
            byteCount <= room.remaining() -> emptyList()
            else -> memory(byteCount.toLong() - room.remaining())
        }

    /** Takes as many bytes of [source] as there is [room] for. */
    private fun put(position: Long, source: ByteBuffer) {
        val count = minOf(source.remaining(), room.remaining())
        val last = held.lastOrNull()
        if (last?.end == position && count > 0 && room.position() > 0) {
            last.bytes.limit(last.bytes.limit() + count)
        } else {
            held += PositionedBytes(position, room.slice().limit(count))
        }
        room.put(source.slice(source.position(), count))
        source.position(source.position() + count)
    }

    /** Takes out the first runs, which have at most [mostBytes] together. */
    fun takeFirst(mostBytes: Int): List<PositionedBytes> {
        var size = 0L
        val first =
            held.takeWhile {
                size += it.bytes.remaining()
                size <= mostBytes
            }
        repeat(first.size) { held.removeFirst() }
        byteCount -= first.sumOf { it.bytes.remaining().toLong() }
        return first
    }

    /** Writes all of it, and keeps it. Calls [pause] before each run. */
    inline fun writeTo(file: PositionedOutput, pause: () -> Unit = {}) =
        held.forEach {
            pause()
            file.write(it)
        }

    fun clear() {
        held.clear()
        byteCount = 0
        room = NO_ROOM
    }

    private companion object {
        val NO_ROOM: ByteBuffer = ByteBuffer.allocate(0)
    }
}
