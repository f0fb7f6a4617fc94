package dev.cairn.restore

import dev.cairn.comm.Communicator
import dev.cairn.comm.allReduce
import dev.cairn.comm.broadcastText
import dev.cairn.comm.settleRefused
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
    } catch (cancelled: CancellationException) {
        throw cancelled
    } catch (failure: Throwable) {
        throw FailedStep(step, failure)
    }

/**
 * Collective: throws on all ranks, since at least one of them has a [failure]. All name the step that failed on the lowest of
 * these ranks; it is [step] unless the failure is a [FailedStep].
 */
internal suspend fun Communicator.refuseStep(
    step: String,
    failure: Throwable?,
): Nothing {
    val lowest = allReduce(if (failure == null) Long.MAX_VALUE else rank.toLong(), Math::min)
    check(lowest < size) { "'$step' was refused on all ranks, and no rank gave a reason; please report this" }
    val failed = broadcastText(lowest.toInt()) { (failure as? FailedStep)?.step ?: step }
    settleRefused(failed, (failure as? FailedStep)?.cause ?: failure)
}
