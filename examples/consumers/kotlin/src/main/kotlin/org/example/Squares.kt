package org.example

import dev.cairn.simulation
import kotlinx.serialization.Serializable

@Serializable
data class Total(
    val sum: Long = 0,
) {
    fun plus(square: Long) = Total(sum + square)
}

/** Adds up the squares of the steps until the one that the first argument names. */
suspend fun main(args: Array<String>) =
    simulation("squares", args.drop(1).toTypedArray()) {
        var total by replicated(Total())
        var stepCount = 0
        for (step in steps(until = args[0].toLong())) {
            total = total.plus(step * step)
            stepCount++
        }
        if (rank == 0) println("sum ${total.sum} after $stepCount more steps")
    }
