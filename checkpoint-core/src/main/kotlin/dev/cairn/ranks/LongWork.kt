package dev.cairn.ranks

import kotlinx.coroutines.Deferred
import kotlinx.coroutines.withTimeoutOrNull

/**
 * Collective: as [collectively], for [work] that may take longer than the limit of a call, so the [worker] does it. Meanwhile the ranks
 * exchange their states at intervals, so that none waits for longer. If the work is short, that is one call, as [collectively] makes.
 */
internal suspend fun <T> Communicator.collectivelyInTime(step: String, worker: Worker, work: suspend () -> T): T {
    note(step)
    val own = worker.start(work)
    while (true) {
        withTimeoutOrNull(longestSilence) { own.join() }
        when (latestOfAll(own)) {
            WorkState.DONE -> return own.await().getOrThrow()
            WorkState.FAILED -> return together(step, own.await())
            WorkState.UNDER_WAY -> Unit
        }
    }
}

/** The state of the work of one rank; of several ranks, the last one in this order counts. */
private enum class WorkState { DONE, FAILED, UNDER_WAY }

/** Collective. */
private suspend fun Communicator.latestOfAll(own: Deferred<Result<*>>): WorkState =
    WorkState.entries[allReduce(stateOf(own).ordinal.toLong(), Math::max).toInt()]

private suspend fun stateOf(work: Deferred<Result<*>>): WorkState =
    when {
        !work.isCompleted -> WorkState.UNDER_WAY
        work.await().isFailure -> WorkState.FAILED
        else -> WorkState.DONE
    }
