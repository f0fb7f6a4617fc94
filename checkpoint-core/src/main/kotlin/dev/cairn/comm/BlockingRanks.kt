@file:JvmName("BlockingRanks")

package dev.cairn.comm

import kotlinx.coroutines.Job
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.runBlocking
import java.util.concurrent.Executors
import java.util.concurrent.SynchronousQueue
import kotlin.concurrent.thread

/** What a rank does that blocks a thread. May throw anything. */
public fun interface RankBody<T> {
    @Throws(Exception::class)
    public fun run(ranks: BlockingCommunicator): T
}

/**
 * As [ranks], for Java: each rank has a thread of its own, which is good for about a thousand ranks. With a
 * deterministic schedule only one of the threads runs at a time.
 */
public fun <T> runBlockingRanks(
    plan: RankPlan,
    body: RankBody<T>,
): List<T> = if (plan.schedule is Schedule.Deterministic) runInTurn(plan, body) else runAtOnce(plan, body)

private fun <T> runInTurn(
    plan: RankPlan,
    body: RankBody<T>,
): List<T> =
    runRanks(plan) {
        val bridge = TurnBridge()
        bridge.play("rank $rank") { body.run(BlockingCommunicator(this, bridge)) }
    }

private fun <T> runAtOnce(
    plan: RankPlan,
    body: RankBody<T>,
): List<T> {
    val threads = Executors.newCachedThreadPool { task -> Thread(task).apply { isDaemon = true } }
    val bridge = ThreadBridge()
    try {
        return runRanks(plan.withSchedule(Schedule.Fast(threads.asCoroutineDispatcher()))) {
            body.run(BlockingCommunicator(this, bridge))
        }
    } finally {
        bridge.open.cancel()
        threads.shutdown()
    }
}

/** The rank's thread waits by itself. */
internal class ThreadBridge : Bridge {
    /** Cancelled at the end, for ranks that died and would wait for ever. */
    val open = Job()

    override fun <R> call(operation: suspend () -> R): R = runBlocking(open) { operation() }
}

/** The rank's thread hands each operation to the rank's coroutine, which stands still until there is one. */
private class TurnBridge : Bridge {
    private val turns = SynchronousQueue<Turn<*>>()
    private val end = Turn<Unit> {}

    override fun <R> call(operation: suspend () -> R): R = Turn(operation).also(turns::put).await()

    suspend fun <T> play(
        name: String,
        body: () -> T,
    ): T {
        var result: Result<T>? = null
        thread(isDaemon = true, name = name) {
            result = runCatching(body)
            turns.put(end)
        }
        while (true) turns.take().takeIf { it !== end }?.play() ?: break
        return checkNotNull(result).getOrThrow()
    }

    private class Turn<R>(
        private val operation: suspend () -> R,
    ) {
        private val answer = SynchronousQueue<Result<R>>()

        suspend fun play() = answer.put(runCatching { operation() })

        fun await(): R = answer.take().getOrThrow()
    }
}
