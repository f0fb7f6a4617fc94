package dev.cairn.ranks

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.cancel
import kotlinx.coroutines.delay
import kotlinx.coroutines.job
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import kotlin.time.measureTimedValue

/** The execution of ranks, and its clock. */
internal interface RankScheduler {
    val clock: RunClock

    /** Wakes [count] ranks or fewer; [waiting] gives their calls, or null for those that are not there. */
    fun wake(count: Int, waiting: (Int) -> Waiting?) {
        for (index in 0 until count) waiting(index)?.wake()
    }

    /** Plays [run] until it is over. Nothing of it is left running, unless a rank blocks its thread for ever. */
    suspend fun play(run: Run<*>)
}

/** Ranks run on the threads of [dispatcher], in real time. */
internal class ThreadScheduler(private val dispatcher: CoroutineDispatcher) : RankScheduler {
    override val clock = RunClock(TimeSource.Monotonic)

    override suspend fun play(run: Run<*>) {
        val scope = CoroutineScope(dispatcher + Job())
        try {
            run.parts().forEach { scope.launch { run.play(it) } }
            scope.launch { watch(run) }
            run.decided.await()
            withTimeoutOrNull(GRACE) { run.allEnded.await() }
        } finally {
            scope.cancel()
            withContext(NonCancellable) { withTimeoutOrNull(GRACE) { scope.coroutineContext.job.join() } }
        }
    }

    /**
     * Very many ranks are woken in cohorts of neighbours, one task for each cohort: neighbours are close to each other in memory, and the
     * queue of tasks stays short. There are always enough cohorts for all threads.
     */
    override fun wake(count: Int, waiting: (Int) -> Waiting?) {
        val cohortSize = count / COHORT_COUNT
        if (cohortSize <= 1) return super.wake(count, waiting)
        for (start in 0 until count step cohortSize) {
            val cohort = start until minOf(start + cohortSize, count)
            dispatcher.dispatch(EmptyCoroutineContext) { for (index in cohort) waiting(index)?.wakeHere() }
        }
    }

    /** Ends waits whose limit has passed, and one wait when all ranks are stuck. */
    suspend fun watch(run: Run<*>) {
        var before = run.progress()
        var lookTime = Duration.ZERO
        while (true) {
            delay(maxOf(LOOK, lookTime * LOOK_SHARE))
            val (now, time) = measureTimedValue { run.progress() }
            lookTime = time
            val call = now.nextToExpire
            if (call != null && call.deadline <= clock.millis()) {
                run.expire(call, limitPassed(call))
            } else if (call != null && now.isStuckSince(before)) {
                run.expire(call, ALL_WAIT)
            }
            before = now
        }
    }
}

/** Many more than a machine has threads; but each cohort costs a task at each call. */
private const val COHORT_COUNT = 1024

private val LOOK = 50.milliseconds

/** Taking a snapshot of very many ranks takes time; at most this fraction of the run is spent on it. */
private const val LOOK_SHARE = 50

/** The time that the ranks may take to learn that the run has failed. */
internal val GRACE = 1.seconds

internal const val ALL_WAIT = "all remaining ranks wait, so no further rank can arrive"

internal fun limitPassed(call: Waiting) = "the limit of ${(call.deadline - call.since).milliseconds} has passed"
