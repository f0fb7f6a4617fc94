package dev.cairn.comm

import dev.cairn.base.Structure
import dev.cairn.base.one
import dev.cairn.base.text
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.RankFailedException
import dev.cairn.event.ReportedCause
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.file.Path

private const val LONGEST_TEXT = 4000
private const val MOST_TEXTS = 100

private class ReportedFailure(
    val rank: Int,
    val host: String,
    val cause: ReportedCause,
    val step: String?,
)

private val TEXT = Structure("") { text(it.take(LONGEST_TEXT)) }

private val DETAILS =
    Structure(Details("")) {
        Details(
            one(it.message, TEXT),
            list(it.items.take(MOST_TEXTS), TEXT),
            text(it.path?.toString().orEmpty()).ifEmpty { null }?.let(Path::of),
            text(it.reason?.name.orEmpty()).ifEmpty { null }?.let(Reason::valueOf),
            list(it.flaws.take(MOST_TEXTS), TEXT),
        )
    }

private val CAUSE =
    Structure(ReportedCause("", DETAILS.blank)) { ReportedCause(text(it.type), one(it.details, DETAILS)) }

private val FAILURE =
    MessageFields("the failure of a rank", ReportedFailure(0, "", CAUSE.blank, null)) {
        ReportedFailure(u32(it.rank), text(it.host), one(it.cause, CAUSE), text(it.step.orEmpty()).ifEmpty { null })
    }

/** The message of a rank: empty if it has no [failure]. Messages of several ranks may be concatenated. */
internal fun encode(failure: RankFailedException.Failure?): ByteBuffer =
    failure?.run { FAILURE.encode(ReportedFailure(rank, host, ReportedCause.of(cause), step)) } ?: NOTHING

/** The failures in [bytes]; [own] is this rank's, which need not be rebuilt. */
internal fun decodeFailures(
    bytes: ByteBuffer,
    own: RankFailedException.Failure?,
): List<RankFailedException.Failure> =
    FAILURE.decodeAll(bytes).map { failure ->
        own?.takeIf { it.rank == failure.rank }
            ?: failure.run { RankFailedException.Failure(rank, host, cause.rebuilt(rank), isHere = false, step) }
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
