@file:JvmSynthetic

package dev.cairn.ranks

import dev.cairn.ranks.RankPlan.Schedule
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.cancel
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlin.coroutines.Continuation
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.startCoroutine

/**
 * Runs [body] once for each of [count] ranks, which are coroutines of this process, and returns their results in the
 * order of ranks. The first rank that fails ends the run for all, with [RunFailedException], whose message has the
 * position of every rank. A message that was not received is a failure, too.
 *
 * A single rank runs on the caller's dispatcher, or if there is none on the thread that calls, and its exception is thrown as it is.
 */
public suspend fun <T> ranks(count: Int, body: suspend Communicator.() -> T): List<T> = ranks(RankPlan(count), body)

/** As [ranks], with hosts, faults, a schedule and more options of [plan]. */
public suspend fun <T> ranks(plan: RankPlan, body: suspend Communicator.() -> T): List<T> =
    attemptRanks(plan, body).results()

/** As [ranks], for callers outside of coroutines: blocks the thread until the run is over. */
public fun <T> runRanks(count: Int, body: suspend Communicator.() -> T): List<T> = runRanks(RankPlan(count), body)

/** As [ranks], for callers outside of coroutines: blocks the thread until the run is over. */
public fun <T> runRanks(plan: RankPlan, body: suspend Communicator.() -> T): List<T> = runBlocking { ranks(plan, body) }

/**
 * Runs [body] as [ranks] does and reports the outcome of each rank, also when ranks failed or died as planned by
 * [plan].
 */
public suspend fun <T> attemptRanks(plan: RankPlan, body: suspend Communicator.() -> T): RunReport<T> =
    when (val schedule = plan.schedule) {
        is Schedule.Fast if plan.isOnCaller -> attemptOnCaller(plan, body)
        is Schedule.Fast -> attempt(plan, ThreadScheduler(schedule.dispatcher), body)
        is Schedule.Deterministic -> attempt(plan, SeededScheduler(schedule.seed) { null }, body)
    }

/** Whether its only rank takes the caller's thread: with threads of its own, a program that knows its thread would see another one. */
internal val RankPlan.isOnCaller: Boolean
    get() = count == 1 && (schedule as? Schedule.Fast)?.dispatcher === Dispatchers.Default

private suspend fun <T> attemptOnCaller(plan: RankPlan, body: suspend Communicator.() -> T): RunReport<T> =
    onCaller { attempt(plan, ThreadScheduler(it), body) }

/** Runs [work] on the caller's dispatcher, or if there is none in an event loop on the thread that calls. */
internal suspend fun <T> onCaller(work: suspend (CoroutineDispatcher) -> T): T {
    val dispatcher = currentCoroutineContext()[ContinuationInterceptor] as? CoroutineDispatcher
    return if (dispatcher != null) work(dispatcher) else runHere { onCaller(work) }
}

/**
 * Runs [work] on this thread, and blocks it, until [open] is cancelled. An interrupt is for the program's own waits: it does not end the
 * work, after which the thread is interrupted as it was.
 */
internal fun <T> runHere(open: Job = NonCancellable, work: suspend () -> T): T {
    var isInterrupted = Thread.interrupted()
    var result: Result<T>? = null
    try {
        // The work is no child of the coroutine that an interrupt cancels.
        runBlocking { withContext(open) { result = runCatching { work() } } }
    } catch (interrupt: InterruptedException) {
        isInterrupted = true
        if (result == null) throw interrupt
    } finally {
        if (isInterrupted) Thread.currentThread().interrupt()
    }
    return checkNotNull(result).getOrThrow()
}

/** The communicator of a program that is one process and knows no ranks. It waits for no other, so nothing schedules it. */
internal fun communicatorOfOne(): Communicator {
    val plan = planHere(1)
    val run = Run<Unit>(plan, ThreadScheduler(Dispatchers.Default)) {}
    return InProcessCommunicator(run, run.parts().single(), activity = "", plan.limit)
}

/**
 * As [attemptRanks], for the only rank of [plan], whose [body] blocks this thread. It runs outside of coroutines, since their debugger
 * renames threads.
 *
 * @param body gets a job that is cancelled at the end of the run, for a rank that died and would wait for ever
 */
internal fun <T> attemptHere(plan: RankPlan, body: suspend Communicator.(open: Job) -> T): RunReport<T> {
    val open = Job()
    val home = Job()
    val scheduler = ThreadScheduler(Dispatchers.Default)
    val run = Run(plan, scheduler) { body(open) }
    val watch = CoroutineScope(Dispatchers.Default).apply { launch { scheduler.watch(run) } }
    run.decided.invokeOnCompletion { open.cancel() }
    try {
        val rank: suspend () -> Unit = { run.play(run.parts().single()) }
        rank.startCoroutine(Continuation(home) { it.getOrThrow() })
    } finally {
        home.complete()
        watch.cancel()
    }
    return run.report()
}

/** As [attemptRanks], for a [body] that blocks: each rank runs on a thread of its own, in an order from [seed]. */
internal suspend fun <T> attemptInTurn(plan: RankPlan, seed: Long, body: suspend Communicator.() -> T): RunReport<T> =
    attempt(plan, SeededScheduler(seed) { RankThread(threadName(it)) }, body)

private suspend fun <T> attempt(
    plan: RankPlan,
    scheduler: RankScheduler,
    body: suspend Communicator.() -> T,
): RunReport<T> {
    val run = Run(plan, scheduler, body)
    scheduler.play(run)
    return run.report()
}

/** The name of a thread that is that of one rank alone. */
internal fun threadName(rank: Int) = "rank $rank"
