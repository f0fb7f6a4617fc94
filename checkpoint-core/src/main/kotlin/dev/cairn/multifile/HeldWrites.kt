package dev.cairn.multifile

import dev.cairn.sion.store.PositionedOutput
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * Holds the bytes that a rank writes, so that its group's collector can write them together with those of others. More than
 * [LARGEST_HELD] bytes go to the [file] at once, and so do all later ones: large writes need no collector. Belongs to one rank.
 */
internal class HeldWrites(
    private val file: PositionedOutput,
) : PositionedOutput {
    private val pieces = ArrayList<Piece>()

    /** The number of bytes that are held. */
    var byteCount = 0L
        private set

    /** Whether the rank wrote more than is held, and so writes to the file itself. */
    var isDirect = false
        private set

    override fun path(): Path = file.path()

    override fun write(
        position: Long,
        source: ByteBuffer,
    ) {
        if (!source.hasRemaining()) return
        if (byteCount + source.remaining() > LARGEST_HELD) writeDirectly()
        if (isDirect) file.write(position, source) else hold(position, source)
    }

    private fun hold(
        position: Long,
        source: ByteBuffer,
    ) {
        byteCount += source.remaining()
        val last = pieces.lastOrNull()?.takeIf { it.end == position } ?: Piece(position).also(pieces::add)
        last.add(source)
    }

    private fun writeDirectly() {
        isDirect = true
        pieces.forEach { file.write(it.position, it.bytes()) }
        pieces.clear()
        byteCount = 0
    }

    /** The bytes that are held, in ascending order, since a task's bytes are written from front to back. */
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

/** The most bytes that are held: a write of this size is efficient by itself. */
private const val LARGEST_HELD = 1 shl 20

private const val FIRST_CAPACITY = 64
