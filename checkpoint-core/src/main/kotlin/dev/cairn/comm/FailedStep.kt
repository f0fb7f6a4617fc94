package dev.cairn.comm

import dev.cairn.failure.isOutOfStep
import kotlinx.coroutines.CancellationException

/** The failure of one rank, and its step; only that rank has it until all ranks settle. */
internal class FailedStep(
    val step: String,
    override val cause: Throwable,
) : Exception(step, cause)

/** Runs [work]; if it fails, the failure has the name of this [step], for the call in which all ranks settle. */
internal inline fun <T> atStep(
    step: String,
    work: () -> T,
): T =
    try {
        work()
    } catch (failure: Throwable) {
        // A rank that is cancelled, or out of step, does not come to settle.
        throw if (failure is CancellationException || failure.isOutOfStep) failure else FailedStep(step, failure)
    }

/**
 * Collective: throws on all ranks if any of them has a [failure]. All name the step that failed on the lowest of these ranks; it is
 * [step] unless the failure is a [FailedStep].
 */
internal suspend fun Communicator.settleStep(
    step: String,
    failure: Throwable?,
) {
    val lowest = allReduce(if (failure == null) Long.MAX_VALUE else rank.toLong(), Math::min)
    if (lowest >= size) return
    val failed = broadcastText(lowest.toInt()) { (failure as? FailedStep)?.step ?: step }
    settleRefused(failed, (failure as? FailedStep)?.cause ?: failure)
}

/** Collective: as [settleStep], where it is known that one rank has a [failure] at least. */
internal suspend fun Communicator.refuseStep(
    step: String,
    failure: Throwable?,
): Nothing {
    settleStep(step, failure)
    error("'$step' was refused on all ranks, and no rank gave a reason; please report this")
}
