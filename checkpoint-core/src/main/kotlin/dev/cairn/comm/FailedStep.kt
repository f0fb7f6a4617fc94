package dev.cairn.comm

import dev.cairn.event.RankFailedException
import dev.cairn.event.isOutOfStep
import kotlinx.coroutines.CancellationException

/** The failure of one rank, with the name of the step that failed: when all ranks settle, they name this step. */
internal class FailedStep(
    val step: String,
    override val cause: Throwable,
) : Exception(step, cause)

/** Runs [work]; a failure gets the name of this [step]. */
internal inline fun <T> atStep(
    step: String,
    work: () -> T,
): T =
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

/** Throws if there are [failures], which begin with the lowest rank. All name the step that failed there. */
internal fun failed(
    step: String,
    failures: List<RankFailedException.Failure>,
) {
    if (failures.isNotEmpty()) throw RankFailedException(failures.first().step ?: step, failures)
}
