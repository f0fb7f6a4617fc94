package dev.cairn.ranks

import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.util.function.BinaryOperator

internal val NOTHING: ByteBuffer = ByteBuffer.allocate(0).asReadOnlyBuffer().order(LITTLE_ENDIAN)

/** A private copy of the remaining bytes, which cannot change any more. */
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

/** A private copy of the remaining bytes. An array takes a quarter of the memory of a small buffer. */
internal fun ByteBuffer.copiedBytes(): ByteArray = ByteArray(remaining()).also { duplicate().get(it) }

/** These bytes, which do not change any more, as a payload. */
internal fun ByteArray.view(): ByteBuffer = ByteBuffer.wrap(this).view()

/** Combines both payloads and leaves them unchanged, even if the combination moves their positions. */
internal fun BinaryOperator<ByteBuffer>.applyTo(lower: ByteBuffer, upper: ByteBuffer): ByteBuffer {
    val result = apply(lower.view(), upper.view())
    return if (result.position() == 0) result else result.slice()
}

/** All payloads combined, beginning with the lowest rank's. */
internal fun BinaryOperator<ByteBuffer>.combineAll(payloads: List<ByteArray>): ByteArray =
    payloads.reduce { lower, upper -> applyTo(lower.view(), upper.view()).copiedBytes() }

/** For each payload but the last, it combined with those before it. */
internal fun BinaryOperator<ByteBuffer>.combineBelow(payloads: List<ByteArray>): List<ByteArray> =
    payloads.subList(0, payloads.size - 1).runningReduce { lower, upper ->
        applyTo(lower.view(), upper.view()).copiedBytes()
    }

/** One list for all ranks, however many there are; each access gives a view of its own. */
internal fun sharedBuffers(payloads: List<ByteBuffer>): List<ByteBuffer> =
    SharedPayloads(payloads.size) { payloads[it].view() }

/** As [sharedBuffers], of payloads that are kept as arrays. */
internal fun sharedBytes(payloads: List<ByteArray>): List<ByteBuffer> =
    SharedPayloads(payloads.size) { payloads[it].view() }

private class SharedPayloads(override val size: Int, private val view: (Int) -> ByteBuffer) :
    AbstractList<ByteBuffer>(),
    RandomAccess {
    override fun get(index: Int) = view(index)
}
