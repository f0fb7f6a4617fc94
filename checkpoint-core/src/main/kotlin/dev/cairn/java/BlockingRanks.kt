package dev.cairn.java

import dev.cairn.comm.ProgramCode
import dev.cairn.comm.plan.RankPlan
import dev.cairn.comm.plan.RunFailedException
import dev.cairn.comm.plan.Schedule
import dev.cairn.ranks.everyRank
import dev.cairn.ranks.ranks
import dev.cairn.ranks.runRanks
import kotlinx.coroutines.Job
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.runBlocking
import java.util.concurrent.Executors

/**
 * Runs ranks that block a thread each, for Java; otherwise as [ranks] does. This allows about a thousand ranks.
 * With a deterministic schedule only one of the threads runs at a time.
 *
 * The caller waits until the run is over. If a rank fails, dies or leaves a message unreceived, it gets a
 * [RunFailedException] with the report.
 */
public object BlockingRanks {
    /** Runs [body] once for each of [count] ranks. */
    @JvmStatic
    public fun run(
        count: Int,
        body: RankBody,
    ): Unit = run(RankPlan(count), body)

    /** Runs [body] once for each rank of [plan]. */
    @JvmStatic
    public fun run(
        plan: RankPlan,
        body: RankBody,
    ) {
        call(plan, body::run)
    }

    /**
     * Runs [body] on every rank of this program: once, if a launcher such as `mpirun` has started this process as one
     * of several, otherwise once for each of [count] ranks in this process. As the function of this name for
     * coroutines.
     */
    @JvmStatic
    public fun everyRank(
        count: Int,
        body: RankBody,
    ): Unit = runEverywhere(count, body)

    /** Runs [body] once for each of [count] ranks, and returns their results, in the order of ranks. */
    @JvmStatic
    public fun <T> call(
        count: Int,
        body: RankCall<T>,
    ): List<T> = call(RankPlan(count), body)

    /** Runs [body] once for each rank of [plan], and returns their results, in the order of ranks. */
    @JvmStatic
    public fun <T> call(
        plan: RankPlan,
        body: RankCall<T>,
    ): List<T> = if (plan.schedule is Schedule.Deterministic) callInTurn(plan, body) else callAtOnce(plan, body)
}

/** The blocking body of a rank. May throw any exception. */
public fun interface RankBody {
    @Throws(Exception::class)
    public fun run(ranks: BlockingCommunicator)
}

/** The blocking body of a rank that returns a result. May throw any exception. */
public fun interface RankCall<T> {
    @Throws(Exception::class)
    public fun call(ranks: BlockingCommunicator): T
}

/** Messages may be bound to the thread of the rank's coroutine, so the body gets another one. */
private fun runEverywhere(
    count: Int,
    body: RankBody,
) {
    runBlocking {
        everyRank(count) {
            playBlocking { bridge -> body.run(BlockingCommunicator(this, bridge)) }
        }
    }
}

private fun <T> callInTurn(
    plan: RankPlan,
    body: RankCall<T>,
): List<T> =
    runRanks(plan) {
        playBlocking { bridge -> body.call(BlockingCommunicator(this, bridge)) }
    }

private fun <T> callAtOnce(
    plan: RankPlan,
    body: RankCall<T>,
): List<T> {
    val threads = Executors.newCachedThreadPool { task -> Thread(task).apply { isDaemon = true } }
    val bridge = ThreadBridge()
    try {
        return runRanks(plan.withSchedule(Schedule.Fast(threads.asCoroutineDispatcher()))) {
            body.call(BlockingCommunicator(this, bridge))
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

    private val isBusy = ThreadLocal.withInitial { false }

    override fun <R> call(operation: suspend () -> R): R {
        if (isBusy.get()) throw ProgramCode.refusal()
        isBusy.set(true)
        try {
            return runBlocking(open) { operation() }
        } finally {
            isBusy.remove()
        }
    }
}
