package dev.cairn.examples

import dev.cairn.Simulation
import dev.cairn.ranks.allReduce
import dev.cairn.simulation

// region darts

/** Estimates pi: the first argument is the number of darts in each step, the others are Cairn's. */
internal suspend fun main(args: Array<String>) =
    simulation("darts", args.drop(1).toTypedArray()) {
        val pi = darts(args.first().toLong(), until = 1_000)
        finished { if (rank == 0) println(pi) }
    }

internal suspend fun Simulation.darts(count: Long, until: Long): Double {
    parameter("darts", count)
    val chance by randomStreams(seed = 7)
    var hits by accumulator(0L, Long::plus)
    for (step in steps(until)) {
        for (dart in rank.toLong() until count step size.toLong()) {
            val (x, y) = listOf(0L, 1L).map { chance.uniform(dart, step, it) }
            if (x * x + y * y < 1) hits++
        }
    }
    return 4.0 * ranks.allReduce(hits, Long::plus) / (count * until)
}
// endregion
