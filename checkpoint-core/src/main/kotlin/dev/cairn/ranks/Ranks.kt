@file:JvmSynthetic

package dev.cairn.ranks

import dev.cairn.ranks.RankPlan.Schedule
import kotlinx.coroutines.runBlocking

/**
 * Runs [body] once for each of [count] ranks, which are coroutines of this process, and returns their results in the
 * order of ranks. The first rank that fails ends the run for all, with [RunFailedException], whose message has the
 * position of every rank. A message that was not received is a failure, too.
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
        is Schedule.Fast -> attempt(plan, ThreadScheduler(schedule.dispatcher), body)
        is Schedule.Deterministic -> attempt(plan, SeededScheduler(schedule.seed) { null }, body)
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
