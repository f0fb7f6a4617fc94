package dev.cairn.examples.mpi

import dev.cairn.Simulation
import dev.cairn.ranks.collectively
import dev.cairn.simulation
import java.util.logging.LogManager

/** Fails in the way that its first argument says, and logs nothing; the other arguments are Cairn's. */
internal suspend fun main(args: Array<String>) {
    LogManager.getLogManager().reset()
    simulation("failing", args.drop(1).toTypedArray()) { fail(args[0]) }
}

private suspend fun Simulation.fail(how: String) {
    var time by replicated(0.0)
    if (how == "declarations" && rank == 1) {
        val more by replicated(1L)
        check(more == 1L)
    }
    for (step in steps(until = if (how == "never") Long.MAX_VALUE else 3)) {
        time += 0.5
        if (how == "together") ranks.collectively("read the mesh") { check(rank == 0) { "there is no mesh" } }
        check(how != "alone" || rank != 1 || step != 1L) { "there is no mesh" }
    }
}
