package dev.cairn.state

import dev.cairn.event.utf8Of
import kotlinx.serialization.SerializationException
import java.nio.ByteBuffer

/**
 * Writes the items of CBOR (RFC 8949), one after another. Large contents are kept as a [Piece] that is written at the
 * end: so the size is known and checked before the bytes are allocated, and each byte is copied once.
 */
internal class CborOutput {
    /** Content that is written when the total size is known; [write] fills the buffer that it gets. */
    private class Piece(val size: Int, val write: (ByteBuffer) -> Unit)

    private val pieces = mutableListOf<Piece>()
    private var small = ByteBuffer.allocate(SMALL_SIZE)
    private var size = 0L

    /** The head of an item, or of a tag: its major type and its argument. */
    fun head(major: Int, argument: Long) {
        val target = room(MOST_HEAD)
        val type = major shl MAJOR_SHIFT
        when {
            argument < INFO_8 -> target.put((type or argument.toInt()).toByte())
            argument < 1 shl Byte.SIZE_BITS -> target.put((type or INFO_8).toByte()).put(argument.toByte())
            argument < 1 shl Short.SIZE_BITS -> target.put((type or INFO_16).toByte()).putShort(argument.toShort())
            argument < 1L shl Int.SIZE_BITS -> target.put((type or INFO_32).toByte()).putInt(argument.toInt())
            else -> target.put((type or INFO_64).toByte()).putLong(argument)
        }
    }

    fun number(value: Long) = if (value >= 0) head(UNSIGNED, value) else head(NEGATIVE, value.inv())

    fun float(value: Float) {
        room(MOST_HEAD).put(initial(SIMPLE, INFO_32)).putInt(value.toRawBits())
    }

    fun double(value: Double) {
        room(MOST_HEAD).put(initial(SIMPLE, INFO_64)).putLong(value.toRawBits())
    }

    fun boolean(value: Boolean) {
        room(1).put(if (value) TRUE else FALSE)
    }

    fun nothing() {
        room(1).put(NULL)
    }

    /** @throws SerializationException if [value] has an unpaired surrogate */
    fun text(value: String) {
        val bytes = utf8Of(value)
        head(TEXT, bytes.size.toLong())
        if (bytes.size <= SMALL_SIZE) room(bytes.size).put(bytes) else piece(bytes.size.toLong()) { it.put(bytes) }
    }

    /** Begins an array or a map of any number of items, up to [end]. */
    fun begin(major: Int) {
        room(1).put(initial(major, INFO_INDEFINITE))
    }

    fun end() {
        room(1).put(BREAK)
    }

    /** The given number of bytes, which [write] puts into the buffer that it gets. */
    fun piece(byteCount: Long, write: (ByteBuffer) -> Unit) {
        keepSmall()
        grow(byteCount)
        pieces += Piece(byteCount.toInt(), write)
    }

    fun toByteArray(): ByteArray {
        keepSmall()
        val target = ByteBuffer.allocate(size.toInt())
        for (piece in pieces) {
            piece.write(target.slice(target.position(), piece.size))
            target.position(target.position() + piece.size)
        }
        return target.array()
    }

    private fun room(byteCount: Int): ByteBuffer {
        if (small.remaining() < byteCount) keepSmall()
        return small
    }

    private fun keepSmall() {
        if (small.position() == 0) return
        val full = small.flip()
        grow(full.remaining().toLong())
        pieces += Piece(full.remaining()) { it.put(full.duplicate()) }
        small = ByteBuffer.allocate(SMALL_SIZE)
    }

    private fun grow(byteCount: Long) {
        size += byteCount
        if (size > MOST_BYTES) {
            throw SerializationException(
                "a value has at most $MOST_BYTES bytes, and this one has more: store its arrays as fields or as " +
                    "tables, or divide it into several values",
            )
        }
    }
}

private const val SMALL_SIZE = 1 shl 12
private const val MOST_HEAD = 9
private const val MOST_BYTES = Int.MAX_VALUE - 8
