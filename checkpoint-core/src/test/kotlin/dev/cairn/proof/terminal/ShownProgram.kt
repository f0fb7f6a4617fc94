package dev.cairn.proof.terminal

import dev.cairn.simulation

/** Saves and prints while a line shows its progress. */
internal suspend fun main(args: Array<String>) =
    simulation("shown", args) {
        var sum by replicated(0L)
        for (step in steps(until = 40)) {
            sum += step
            Thread.sleep(50)
            println("step $step is done")
        }
    }
