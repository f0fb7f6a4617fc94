package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.main
import dev.cairn.simulation

/** The line that [main] prints when its first step begins. */
internal const val FIRST_STEP = "the first step begins"

/** A simulation of two empty steps, with a checkpoint after each. */
internal suspend fun main(args: Array<String>) =
    simulation("first step", args) {
        val u by doubles(rows = 64, columns = 64, halo = 1) { i, _ -> i.toDouble() }
        var time by replicated(0.0)
        for (step in steps(until = 2)) {
            if (step == 0L && rank == 0) println(FIRST_STEP)
            u.exchangeHalo()
            u.update { i, j -> u[i, j] + time }
            time += 0.1
        }
    }
