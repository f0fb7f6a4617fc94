package dev.cairn.multifile.task

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

    /** How much is kept. */
    var byteCount = 0L
        private set

    /** Whether the rank has more than is kept, and writes for itself. */
    var isDirect = false
        private set

    override fun path(): Path = file.path()

    override fun write(
        position: Long,
        source: ByteBuffer,
    ) {
        if (!source.hasRemaining()) return
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

    /** What is kept, from front to back, since a task's bytes are written in their order. */
    fun fragments(): List<Fragment> = pieces.map { Fragment(it.position, it.bytes()) }

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
    }
}

/** More than this a rank writes for itself: it is a good size for one write. */
private const val LARGEST_HELD = 1 shl 20

private const val FIRST_CAPACITY = 64
