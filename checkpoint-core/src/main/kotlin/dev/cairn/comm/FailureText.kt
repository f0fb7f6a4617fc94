package dev.cairn.comm

import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

// Failures as bytes, one after the other: rank u32, size of host u32, host, size of text u32, text.

private const val LONGEST_TEXT = 4000

internal fun encode(failure: RankFailure?): ByteBuffer {
    if (failure == null) return NOTHING
    val host = failure.host.encodeToByteArray()
    val text =
        failure.cause
            .toString()
            .take(LONGEST_TEXT)
            .encodeToByteArray()
    return ByteBuffer
        .allocate(3 * Int.SIZE_BYTES + host.size + text.size)
        .order(LITTLE_ENDIAN)
        .putInt(failure.rank)
        .putInt(host.size)
        .put(host)
        .putInt(text.size)
        .put(text)
        .flip()
}

/** The failures in [bytes]; [own] is this rank's, which need not be told by its text. */
internal fun decodeFailures(
    bytes: ByteBuffer,
    own: RankFailure?,
): List<RankFailure> {
    val rest = bytes.view()
    return buildList {
        while (rest.hasRemaining()) {
            val rank = rest.getInt()
            val host = nextText(rest)
            val cause = nextText(rest)
            add(own?.takeIf { it.rank == rank } ?: RankFailure(rank, host, RemoteFailure(cause)))
        }
    }
}

internal fun joined(
    lower: ByteBuffer,
    upper: ByteBuffer,
): ByteBuffer =
    ByteBuffer
        .allocate(Math.addExact(lower.remaining(), upper.remaining()))
        .put(lower.duplicate())
        .put(upper.duplicate())
        .flip()
        .order(LITTLE_ENDIAN)

private fun nextText(rest: ByteBuffer): String {
    val size = rest.getInt()
    val text = textOf(rest.duplicate().limit(rest.position() + size))
    rest.position(rest.position() + size)
    return text
}
