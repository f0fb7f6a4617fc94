package dev.cairn.comm

import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

internal val NOTHING: ByteBuffer = ByteBuffer.allocate(0).asReadOnlyBuffer().order(LITTLE_ENDIAN)

/** A private copy of the remaining bytes, which nobody can change any more. */
internal fun ByteBuffer.copied(): ByteBuffer =
    if (hasRemaining()) {
        ByteBuffer
            .allocate(remaining())
            .put(duplicate())
            .flip()
            .asReadOnlyBuffer()
            .order(LITTLE_ENDIAN)
    } else {
        NOTHING
    }

/** The same bytes with a position of their own, so that several ranks can read them. */
internal fun ByteBuffer.view(): ByteBuffer = asReadOnlyBuffer().order(LITTLE_ENDIAN)

/** Combines and leaves both payloads as they are, whatever the combination does to their positions. */
internal fun Combination.applyTo(
    lower: ByteBuffer,
    upper: ByteBuffer,
): ByteBuffer {
    val result = combine(lower.view(), upper.view())
    return if (result.position() == 0) result else result.slice()
}

/** One list for all ranks, however many there are; each access gives a view of its own. */
internal class SharedPayloads(
    private val payloads: List<ByteBuffer>,
) : AbstractList<ByteBuffer>(),
    RandomAccess {
    override val size get() = payloads.size

    override fun get(index: Int) = payloads[index].view()
}
