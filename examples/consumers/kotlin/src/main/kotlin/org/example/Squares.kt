package org.example

import dev.cairn.simulation

/** Adds up the squares of the steps until the one that the first argument names. */
suspend fun main(args: Array<String>) =
    simulation("squares", args.drop(1).toTypedArray()) {
        var sum by replicated(0L)
        var stepCount = 0
        for (step in steps(until = args[0].toLong())) {
            sum += step * step
            stepCount++
        }
        if (rank == 0) println("sum $sum after $stepCount more steps")
    }
