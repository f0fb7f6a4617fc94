package dev.cairn.comm

import dev.cairn.failure.CheckpointException
import dev.cairn.failure.CheckpointExceptionKinds
import dev.cairn.failure.RankFailure
import dev.cairn.failure.RemoteFailure
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

// Failures as bytes, one after the other: rank u32, count of texts u32, and for each text its size u32 and its UTF-8. The texts
// are the host, the kind of exception and its message; after those of a CheckpointException come its facts. An exception of
// any other kind is told by its text alone.

private const val OTHER_KIND = ""
private const val LONGEST_TEXT = 4000
private const val MOST_FACTS = 100

internal fun encode(failure: RankFailure?): ByteBuffer {
    if (failure == null) return NOTHING
    val texts = (listOf(failure.host) + textsOf(failure.cause)).map { it.encodeToByteArray() }
    val size = 2 * Int.SIZE_BYTES + texts.sumOf { Int.SIZE_BYTES + it.size }
    val bytes = ByteBuffer.allocate(size).order(LITTLE_ENDIAN)
    bytes.putInt(failure.rank).putInt(texts.size)
    texts.forEach { bytes.putInt(it.size).put(it) }
    return bytes.flip()
}

private fun textsOf(cause: Throwable): List<String> =
    if (cause is CheckpointException) {
        listOf(cause.kind, cause.message.orEmpty().cut()) + cause.facts.take(MOST_FACTS).map { it.cut() }
    } else {
        listOf(OTHER_KIND, cause.toString().cut())
    }

private fun String.cut() = take(LONGEST_TEXT)

/** The failures in [bytes]; [own] is this rank's, which need not be told by its texts. */
internal fun decodeFailures(
    bytes: ByteBuffer,
    own: RankFailure?,
): List<RankFailure> {
    val rest = bytes.view()
    return buildList {
        while (rest.hasRemaining()) {
            val rank = rest.getInt()
            val texts = List(rest.getInt()) { nextText(rest) }
            add(own?.takeIf { it.rank == rank } ?: RankFailure(rank, texts[0], causeOf(texts[1], texts.drop(2))))
        }
    }
}

private fun causeOf(
    kind: String,
    texts: List<String>,
): Throwable =
    CheckpointExceptionKinds.of(kind, CheckpointException.Details(texts[0], texts.drop(1))) ?: RemoteFailure(texts[0])

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
