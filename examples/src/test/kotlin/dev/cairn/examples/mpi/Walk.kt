package dev.cairn.examples.mpi

import dev.cairn.simulation

/** A small program with a field, a halo and a number. Its first argument is the last step; the others are Cairn's. */
internal suspend fun main(args: Array<String>) =
    simulation("walk", args.drop(1).toTypedArray()) {
        val u by doubles(rows = 40, columns = 30, halo = 1) { i, j -> i * 0.25 + j * j }
        var total by replicated(0L)
        for (step in steps(until = args[0].toLong())) {
            u.exchangeHalo()
            u.update { i, j -> 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]) + step }
            total += step
        }
    }
