package dev.cairn.multifile

import dev.cairn.sion.store.PositionedOutput
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * Keeps what a rank writes, so that its group's collector can write it together with that of others. What is too much to
 * keep goes to the [file] at once, and so does all that follows: large writes need no collector. One rank at a time.
 */
internal class HeldWrites(
    private val file: PositionedOutput,
) : PositionedOutput {
    private val pieces = ArrayList<Piece>()
    private var byteCount = 0L

    /** Whether the rank has more than is kept, and writes for itself. */
    var isDirect = false
        private set

    override fun path(): Path = file.path()

    override fun write(
        position: Long,
        source: ByteBuffer,
    ) {
        if (byteCount + source.remaining() > LARGEST_HELD) giveUp()
        if (isDirect) file.write(position, source) else keep(position, source)
    }

    private fun keep(
        position: Long,
        source: ByteBuffer,
    ) {
        byteCount += source.remaining()
        val last = pieces.lastOrNull()?.takeIf { it.end == position } ?: Piece(position).also(pieces::add)
        last.add(source)
    }

    private fun giveUp() {
        isDirect = true
        pieces.forEach { file.write(it.position, it.bytes()) }
        pieces.clear()
        byteCount = 0
    }

    /** Where the last piece ends; 0 if there is none. */
    val end: Long get() = pieces.lastOrNull()?.end ?: 0

    /** What lies in [window]. */
    fun within(window: LongRange): List<Fragment> = pieces.mapNotNull { it.within(window) }

    private class Piece(
        val position: Long,
    ) {
        private var content = ByteArray(FIRST_CAPACITY)
        private var size = 0
        val end get() = position + size

        fun add(source: ByteBuffer) {
            val newSize = size + source.remaining()
            if (newSize > content.size) content = content.copyOf(maxOf(newSize, 2 * content.size))
            source.get(content, size, source.remaining())
            size = newSize
        }

        fun bytes(): ByteBuffer = ByteBuffer.wrap(content, 0, size)

        fun within(window: LongRange): Fragment? {
            val from = maxOf(position, window.first)
            val to = minOf(end, window.last + 1)
            return if (from <
                to
            ) {
                Fragment(from, bytes().slice((from - position).toInt(), (to - from).toInt()))
            } else {
                null
            }
        }
    }
}

/** Some bytes and where they go. */
internal class Fragment(
    val position: Long,
    val bytes: ByteBuffer,
) {
    val end get() = position + bytes.remaining()
}

/** More than this a rank writes for itself: it is a good size for one write. */
private const val LARGEST_HELD = 1 shl 20

private const val FIRST_CAPACITY = 64
