package dev.cairn.benchmarks.sections

import dev.cairn.ranks.Communicator

/** Runs [round] as often, of which the first [warmUpCount] times do not count. */
internal suspend fun <T> rounds(warmUpCount: Int, count: Int, round: suspend (Int) -> T): List<T> =
    List(warmUpCount + count) { round(it) }.drop(warmUpCount)

/**
 * Runs [jobs] one after the other, in each other round in the reverse order, so that a machine whose speed varies favours none of
 * them. Returns what they return, in their own order.
 */
internal suspend fun <T> inTurn(round: Int, vararg jobs: suspend () -> T): List<T> {
    val order = if (round % 2 == 0) jobs.indices else jobs.indices.reversed()
    val results = order.associateWith { jobs[it]() }
    return jobs.indices.map(results::getValue)
}

/** The seconds until all ranks have done [job], which they begin together. */
internal suspend fun timed(ranks: Communicator, job: suspend () -> Unit): Double {
    ranks.barrier()
    val begin = System.nanoTime()
    job()
    ranks.barrier()
    return (System.nanoTime() - begin) / 1e9
}
