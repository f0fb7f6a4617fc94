package dev.cairn.comm

import dev.cairn.failure.CheckpointException
import dev.cairn.failure.CheckpointExceptionKinds
import dev.cairn.failure.DiskFailures
import dev.cairn.failure.RankDiffersException
import dev.cairn.failure.RankFailure
import dev.cairn.failure.RemoteFailure
import dev.cairn.structure.Structure
import dev.cairn.structure.text
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

// What processes tell each other of failures. Of a CheckpointException its kind, its message and its facts are told, of a DiskException
// its trouble, its file and its reason, and of any other exception its text alone.

private const val OTHER_KIND = ""
private const val DIFFERS = "RankDiffers"
private const val LONGEST_TEXT = 4000
private const val MOST_FACTS = 100

private data class ToldFailure(
    val rank: Int,
    val host: String,
    val kind: String,
    val message: String,
    val facts: List<String>,
    val step: String = "",
)

private val FACT = Structure("") { text(it) }

private val FAILURE =
    MessageFields("the failure of a rank", ToldFailure(0, "", "", "", emptyList())) {
        ToldFailure(u32(it.rank), text(it.host), text(it.kind), text(it.message), list(it.facts, FACT), text(it.step))
    }

/** The message of a rank: empty if it has no [failure]. Messages of several ranks may stand one behind the other. */
internal fun encode(failure: RankFailure?): ByteBuffer =
    failure?.let { FAILURE.encode(toldOf(it).copy(step = it.step.orEmpty())) } ?: NOTHING

private fun toldOf(failure: RankFailure): ToldFailure {
    val cause = failure.cause
    DiskFailures.factsOf(cause)?.let { facts ->
        return ToldFailure(failure.rank, failure.host, DiskFailures.KIND, "", facts.map { it.cut() })
    }
    if (cause is RankDiffersException) {
        val texts = listOf(cause.own, cause.ofRoot, cause.advice).map { it.cut() }
        return ToldFailure(failure.rank, failure.host, DIFFERS, cause.message.orEmpty().cut(), texts)
    }
    if (cause !is CheckpointException) {
        return ToldFailure(failure.rank, failure.host, OTHER_KIND, cause.toString().cut(), emptyList())
    }
    val facts = cause.facts.take(MOST_FACTS).map { it.cut() }
    return ToldFailure(failure.rank, failure.host, cause.kind, cause.message.orEmpty().cut(), facts)
}

private fun String.cut() = take(LONGEST_TEXT)

/** The failures in [bytes]; [own] is this rank's, which need not be told by its texts. */
internal fun decodeFailures(
    bytes: ByteBuffer,
    own: RankFailure?,
): List<RankFailure> =
    FAILURE.decodeAll(bytes).map { told ->
        own?.takeIf { it.rank == told.rank }
            ?: RankFailure(told.rank, told.host, causeOf(told), isHere = false, told.step.ifEmpty { null })
    }

private fun causeOf(told: ToldFailure): Throwable =
    when (told.kind) {
        DiskFailures.KIND -> {
            DiskFailures.of(told.facts)
        }

        DIFFERS -> {
            told.facts.let { (own, ofRoot, advice) -> RankDiffersException(told.rank, own, ofRoot, advice) }
        }

        else -> {
            CheckpointExceptionKinds.of(told.kind, CheckpointException.Details(told.message, told.facts))
                ?: RemoteFailure(told.message)
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
