package dev.cairn.ranks

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.cancel
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.time.AbstractLongTimeSource
import kotlin.time.DurationUnit

/**
 * Ranks run one at a time, in an order drawn from a seed, in simulated time.
 *
 * @param threadOf makes the thread of a rank; null if its body does not block
 */
internal class SeededScheduler(seed: Long, private val threadOf: (rank: Int) -> RankThread?) : RankScheduler {
    private val dispatcher = SeededDispatcher(seed)

    /** Set when the run has failed and no rank is ready any more. */
    private var endOfGrace: Long? = null

    override val clock =
        RunClock(
            object : AbstractLongTimeSource(DurationUnit.MILLISECONDS) {
                override fun read() = dispatcher.nowMillis
            },
        )

    override suspend fun play(run: Run<*>) = withContext(Dispatchers.Default) { playHere(run) }

    private suspend fun playHere(run: Run<*>) {
        val scope = CoroutineScope(dispatcher + Job())
        try {
            run.parts().forEach { part ->
                val thread = threadOf(part.index)
                val rank = scope.launch(thread ?: EmptyCoroutineContext) { run.play(part) }
                thread?.begin(rank)
            }
            while (!run.allEnded.isCompleted) {
                currentCoroutineContext().ensureActive()
                if (dispatcher.runOne()) continue
                if (!run.decided.isCompleted) {
                    letTimePass(run)
                } else if (!letHeldUpRanksLearn()) {
                    break
                }
            }
        } finally {
            scope.cancel()
            dispatcher.runAll()
        }
    }

    /** Moves on to what comes first: the end of a `delay`, or the limit of a wait. */
    private fun letTimePass(run: Run<*>) {
        val progress = run.progress()
        val call = progress.nextToExpire
        val alarm = dispatcher.nextAlarmMillis()
        when {
            progress.busyCount > dispatcher.alarmCount -> dispatcher.awaitOutsiders()
            call != null && (alarm == null || call.deadline < alarm) -> expire(run, call)
            else -> dispatcher.ringNextAlarms()
        }
    }

    /** Wakes the next ranks that wake up within the grace after the failure; false if there is none. */
    private fun letHeldUpRanksLearn(): Boolean {
        val end = endOfGrace ?: (dispatcher.nowMillis + GRACE.inWholeMilliseconds).also { endOfGrace = it }
        val isInTime = (dispatcher.nextAlarmMillis() ?: Long.MAX_VALUE) <= end
        if (isInTime) dispatcher.ringNextAlarms()
        return isInTime
    }

    private fun expire(run: Run<*>, call: Waiting) {
        val hasLimit = call.deadline != Long.MAX_VALUE
        if (hasLimit) dispatcher.advanceTo(call.deadline)
        run.expire(call, if (hasLimit) limitPassed(call) else ALL_WAIT)
    }
}
