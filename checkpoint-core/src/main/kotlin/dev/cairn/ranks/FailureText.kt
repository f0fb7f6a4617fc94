package dev.cairn.ranks

import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.RankFailedException
import dev.cairn.event.ReportedCause
import dev.cairn.event.isOutOfStep
import kotlinx.coroutines.CancellationException
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.file.Path

private const val LONGEST_TEXT = 4000
private const val MOST_TEXTS = 100

private class ReportedFailure(val rank: Int, val host: String, val cause: ReportedCause, val step: String?)

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
internal fun decodeFailures(bytes: ByteBuffer, own: RankFailedException.Failure?): List<RankFailedException.Failure> =
    FAILURE.decodeAll(bytes).map { failure ->
        own?.takeIf { it.rank == failure.rank }
            ?: failure.run { RankFailedException.Failure(rank, host, cause.rebuilt(rank), isHere = false, step) }
    }

internal fun joined(lower: ByteBuffer, upper: ByteBuffer): ByteBuffer =
    ByteBuffer
        .allocate(Math.addExact(lower.remaining(), upper.remaining()))
        .put(lower.duplicate())
        .put(upper.duplicate())
        .flip()
        .order(LITTLE_ENDIAN)

/** The failure of one rank, with the name of the step that failed: when all ranks settle, they name this step. */
internal class FailedStep(val step: String, override val cause: Throwable) : Exception(step, cause)

/** Runs [work]; a failure gets the name of this [step]. */
internal inline fun <T> atStep(step: String, work: () -> T): T =
    try {
        work()
    } catch (failure: Throwable) {
        throw if (failure.isOutOfStep) failure else failure.at(step)
    }

/** Gives a failure the name of this [step], unless it has the name of an inner one. */
internal fun <T> Result<T>.atStep(step: String): Result<T> = recoverCatching { throw it.at(step) }

internal fun Throwable.at(step: String): Throwable =
    if (this is CancellationException || this is FailedStep) this else FailedStep(step, this)

/** Returns this result. Throws the failure of a rank that is cancelled or out of step, which cannot report it to the others. */
internal fun <T> Result<T>.inStep(): Result<T> =
    onFailure { if (it is CancellationException || it.isOutOfStep) throw it }

/** The [failure] as a rank reports it to the others. */
internal fun failureOf(
    rank: Int,
    host: String,
    failure: Throwable,
    isHere: Boolean = false,
): RankFailedException.Failure {
    val at = failure as? FailedStep ?: return RankFailedException.Failure(rank, host, failure, isHere)
    return RankFailedException.Failure(rank, host, at.cause, isHere, at.step)
}

/** Throws if there are [failures] of some of [size] ranks, which begin with the lowest rank. All name the step that failed there. */
internal fun failed(step: String, failures: List<RankFailedException.Failure>, size: Int) {
    val first = failures.firstOrNull() ?: return
    val failed = first.step ?: step
    throw if (size == 1) RankFailedException.ofOnly(failed, first) else RankFailedException(failed, failures)
}
