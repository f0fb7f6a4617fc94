package dev.cairn.ranks

import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.yield
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.CoroutineContext

/**
 * Does work of one rank in the background. The work calls no communicator, and neither the cancellation nor the end of the program's
 * coroutines interrupts it; only [giveUp] does.
 *
 * @param lives whether the simulated process of the rank still runs
 */
internal class Worker(private val context: CoroutineContext, private val lives: () -> Boolean) {
    @Volatile private var isGivenUp = false

    /** Whether the simulated process of the rank still runs. */
    val isLive: Boolean get() = lives()

    /** Begins [work]. An exception becomes its result. */
    fun <T> start(work: suspend () -> T): Deferred<Result<T>> = CoroutineScope(context).async { runCatching { work() } }

    /** The result of [work], for which this coroutine waits without blocking its thread. */
    suspend fun <T> await(work: suspend () -> T): T = start(work).await().getOrThrow()

    /**
     * Called by the work between two pieces: ends the work if it was given up. Where a seed decides the order, it yields to other work; the
     * system schedules threads of their own by itself, and each yield there would wake another one.
     */
    suspend fun pause() {
        if (context !== Dispatchers.IO) yield()
        requireWanted()
    }

    /** Runs [work] unless it was given up; [giveUp] waits for its end. */
    @Synchronized
    fun <T> run(work: () -> T): T {
        requireWanted()
        return work()
    }

    /** No piece of work begins after this. Any thread may call it. */
    @Synchronized
    fun giveUp() {
        isGivenUp = true
    }

    private fun requireWanted() {
        if (isGivenUp || !isLive) throw CancellationException("the program has ended")
    }
}

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
