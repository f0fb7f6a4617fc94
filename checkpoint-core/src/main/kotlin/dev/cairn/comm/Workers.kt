package dev.cairn.comm

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.currentCoroutineContext
import kotlin.coroutines.ContinuationInterceptor

/**
 * The worker of this rank, on threads of its own; in a run with a deterministic schedule it is scheduled like a rank, so that the seed
 * decides its progress.
 */
internal suspend fun Communicator.worker(): Worker {
    val rank = this as? InProcessCommunicator
    val isSimulated = rank != null && rank.runClock.isSimulated
    val context = if (isSimulated) checkNotNull(currentCoroutineContext()[ContinuationInterceptor]) else Dispatchers.IO
    return Worker(context) { rank == null || rank.isLive }
}
