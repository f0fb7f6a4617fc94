package dev.cairn.java

import dev.cairn.ranks.Launch
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.attemptHere
import dev.cairn.ranks.attemptInTurn
import dev.cairn.ranks.everyRank
import dev.cairn.ranks.isOnCaller
import dev.cairn.ranks.planHere
import dev.cairn.ranks.ranks
import dev.cairn.ranks.runRanks
import dev.cairn.ranks.threadName
import dev.cairn.state.ThrowingConsumer
import dev.cairn.state.ThrowingFunction
import kotlinx.coroutines.Job
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.runBlocking
import java.util.concurrent.Executors

/**
 * Runs ranks that block a thread each, for Java; otherwise as [ranks] does. This allows about a thousand ranks.
 * With a deterministic schedule only one of the threads runs at a time. The thread of a rank runs its body
 * and all functions of the program that Cairn calls for it. It is named `rank 0` and so on; a single rank runs on the thread that
 * calls, which keeps its name, unless the schedule is deterministic or has a dispatcher.
 *
 * A body may throw any exception. The caller waits until the run is over. If a rank fails, dies or leaves a message unreceived, it gets a
 * [RunFailedException] with the report; what a single rank throws is thrown as it is.
 */
public object BlockingRanks {
    /** Runs [body] once for each of [count] ranks. */
    @JvmStatic
    public fun run(count: Int, body: ThrowingConsumer<BlockingCommunicator>): Unit = run(RankPlan(count), body)

    /** Runs [body] once for each rank of [plan]. */
    @JvmStatic
    public fun run(plan: RankPlan, body: ThrowingConsumer<BlockingCommunicator>) {
        call(plan, body::accept)
    }

    /**
     * Runs [body] on every rank of this program: once, if a launcher such as `mpirun` has started this process as one
     * of several, otherwise once for each of [count] ranks in this process. As the function of this name for
     * coroutines.
     */
    @JvmStatic
    public fun everyRank(count: Int, body: ThrowingConsumer<BlockingCommunicator>) {
        callEverywhere(count, body::accept)
    }

    /** Runs [body] once for each of [count] ranks, and returns their results, in the order of ranks. */
    @JvmStatic
    public fun <T> call(count: Int, body: ThrowingFunction<BlockingCommunicator, T>): List<T> =
        call(RankPlan(count), body)

    /** Runs [body] once for each rank of [plan], and returns their results, in the order of ranks. */
    @JvmStatic
    public fun <T> call(plan: RankPlan, body: ThrowingFunction<BlockingCommunicator, T>): List<T> =
        when (val schedule = plan.schedule) {
            is Schedule.Fast if plan.isOnCaller -> attemptHere(plan) { open -> body.apply(blocking(open)) }.results()
            is Schedule.Fast -> callAtOnce(plan, body)
            is Schedule.Deterministic -> callInTurn(plan, schedule.seed, body)
        }
}

/** As [BlockingRanks.everyRank]; returns the results of the ranks in this process. */
internal fun <T> callEverywhere(count: Int, body: ThrowingFunction<BlockingCommunicator, T>): List<T> {
    if (Launch.ofThisProcess() == null) return BlockingRanks.call(planHere(count), body)
    return runBlocking { everyRank(count) { body.apply(blocking()) } }
}

private fun <T> callInTurn(plan: RankPlan, seed: Long, body: ThrowingFunction<BlockingCommunicator, T>): List<T> =
    runBlocking { attemptInTurn(plan, seed) { body.apply(blocking()) }.results() }

private fun <T> callAtOnce(plan: RankPlan, body: ThrowingFunction<BlockingCommunicator, T>): List<T> {
    val threads = Executors.newCachedThreadPool { task -> Thread(task).apply { isDaemon = true } }
    val open = Job()
    try {
        return runRanks(plan.withSchedule(Schedule.Fast(threads.asCoroutineDispatcher()))) {
            named(threadName(rank)) { body.apply(blocking(open)) }
        }
    } finally {
        open.cancel()
        threads.shutdown()
    }
}

/** Gives this thread the [name], while it runs [body]. */
private inline fun <T> named(name: String, body: () -> T): T {
    val thread = Thread.currentThread()
    val before = thread.name
    thread.name = name
    try {
        return body()
    } finally {
        thread.name = before
    }
}
