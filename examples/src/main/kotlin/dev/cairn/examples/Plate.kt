package dev.cairn.examples

import dev.cairn.simulation

/** Heat spreads over a small plate, for as long as one wants: the first argument is the last step, the others are Cairn's. */
internal suspend fun main(args: Array<String>) =
    simulation("plate", args.drop(1).toTypedArray()) {
        val u by doubles(rows = 64, columns = 64, halo = 1) { i, j -> if (i < 0) 100.0 else 0.01 * i * j }
        var time by replicated(0.0)
        for (step in steps(until = args.first().toLong())) {
            u.exchangeHalo()
            u.update { i, j ->
                u[i, j] + 0.2 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j])
            }
            time += 0.1
        }
    }
