package dev.cairn.ranks

import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Delay
import kotlinx.coroutines.DisposableHandle
import kotlinx.coroutines.InternalCoroutinesApi
import java.util.TreeMap
import java.util.concurrent.TimeUnit.MILLISECONDS
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.withLock
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.resume
import kotlin.random.Random

/**
 * Runs tasks one at a time, the next drawn from those that are ready, and keeps a clock that stands still while any is.
 *
 * Its owner runs the tasks, on one thread; those of a rank that has a [RankThread] run on that, while the owner waits. Other
 * threads may only add tasks, when work returns that a rank had moved elsewhere; such a run cannot be replayed.
 *
 * [Delay] is how coroutines ask a dispatcher for its own clock; there is no other way to simulate `delay`.
 */
@OptIn(InternalCoroutinesApi::class)
internal class SeededDispatcher(seed: Long) :
    CoroutineDispatcher(),
    Delay {
    private val random = Random(seed)
    private val lock = ReentrantLock()
    private val added = lock.newCondition()
    private val ready = ArrayList<Runnable>()
    private val alarms = TreeMap<Long, MutableList<Runnable>>()

    @Volatile var nowMillis: Long = 0
        private set

    /** How many `delay`s and timeouts are running. */
    var alarmCount = 0
        private set

    override fun dispatch(context: CoroutineContext, block: Runnable) {
        val thread = context[RankThread]
        val task = if (thread == null) block else Runnable { thread.run(block) }
        lock.withLock {
            ready.add(task)
            added.signal()
        }
    }

    /** Runs one task that is ready; false if there is none. */
    fun runOne(): Boolean {
        val task = lock.withLock { drawReady() } ?: return false
        task.run()
        return true
    }

    /** Runs tasks until none is ready; time does not pass. */
    fun runAll() {
        while (runOne()) continue
    }

    fun nextAlarmMillis(): Long? = lock.withLock { alarms.firstEntry()?.key }

    /** Lets time pass until the next alarms, all at that time. */
    fun ringNextAlarms() =
        lock.withLock {
            val (time, tasks) = alarms.pollFirstEntry()
            advanceTo(time)
            alarmCount -= tasks.size
            ready.addAll(tasks)
        }

    fun advanceTo(millis: Long) {
        nowMillis = maxOf(nowMillis, millis)
    }

    /** Waits in real time until another thread brings something to run. */
    fun awaitOutsiders() = lock.withLock { if (ready.isEmpty()) added.await(OUTSIDER_CHECK_MILLIS, MILLISECONDS) }

    override fun scheduleResumeAfterDelay(timeMillis: Long, continuation: CancellableContinuation<Unit>) {
        val alarm = setAlarm(timeMillis) { continuation.resume(Unit) }
        continuation.invokeOnCancellation { alarm.dispose() }
    }

    override fun invokeOnTimeout(timeMillis: Long, block: Runnable, context: CoroutineContext): DisposableHandle =
        setAlarm(timeMillis, block)

    private fun setAlarm(timeMillis: Long, task: Runnable): DisposableHandle =
        lock.withLock {
            val time = if (timeMillis > Long.MAX_VALUE - nowMillis) Long.MAX_VALUE else nowMillis + timeMillis
            alarms.getOrPut(time, ::ArrayList).add(task)
            alarmCount++
            DisposableHandle { cancelAlarm(time, task) }
        }

    private fun cancelAlarm(time: Long, task: Runnable) =
        lock.withLock {
            val tasks = alarms[time]
            if (tasks != null && tasks.remove(task)) alarmCount--
            if (tasks != null && tasks.isEmpty()) alarms.remove(time)
        }

    /** The last task takes the drawn one's place, so drawing costs the same however many are ready. */
    private fun drawReady(): Runnable? {
        if (ready.isEmpty()) return null
        val index = random.nextInt(ready.size)
        val drawn = ready[index]
        val last = ready.removeAt(ready.lastIndex)
        if (index < ready.size) ready[index] = last
        return drawn
    }
}

/** The interval of checks for cancellation of the whole run. */
private const val OUTSIDER_CHECK_MILLIS = 100L
