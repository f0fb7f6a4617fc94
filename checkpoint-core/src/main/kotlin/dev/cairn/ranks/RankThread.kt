package dev.cairn.ranks

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Job
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.job
import kotlinx.coroutines.launch
import java.util.concurrent.Semaphore
import kotlin.concurrent.thread
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.CoroutineContext

/**
 * The thread of one rank in a deterministic run, for a body that blocks. All tasks of the rank run on it, each when the scheduler has
 * drawn it, and the scheduler waits until the task ends: so the seed decides the order, and one thread runs at a time.
 */
internal class RankThread(private val name: String) : AbstractCoroutineContextElement(RankThread) {
    private val turns = Semaphore(0)
    private val turnEnds = Semaphore(0)
    private var task = Runnable {}

    @Volatile private var isOver = false

    /** [rank] is the coroutine of the rank, in whose context this is; it has not run yet. */
    fun begin(rank: Job) {
        rank.invokeOnCompletion { isOver = true }
        thread(isDaemon = true, name = name) {
            while (!isOver) {
                takeTurn()
                turnEnds.release()
            }
        }
    }

    /** On the thread of the scheduler: runs [task] on this one, until it ends or waits for another turn. */
    fun run(task: Runnable) {
        if (isOver) return task.run()
        this.task = task
        turns.release()
        turnEnds.acquireUninterruptibly()
    }

    /** On this thread, in a turn: runs [operation] in the context of the [rank], in as many turns as it takes. */
    fun <R> await(rank: CoroutineContext, operation: suspend () -> R): R {
        var outcome: Result<R>? = null
        val calls = SupervisorJob(rank.job)
        val call =
            CoroutineScope(rank + calls).launch(start = CoroutineStart.UNDISPATCHED) {
                outcome = runCatching { operation() }
            }
        calls.complete()
        while (!call.isCompleted) {
            turnEnds.release()
            takeTurn()
        }
        return checkNotNull(outcome).getOrThrow()
    }

    private fun takeTurn() {
        turns.acquireUninterruptibly()
        task.run()
    }

    companion object Key : CoroutineContext.Key<RankThread>
}
