package dev.cairn.examples

// region heat
import dev.cairn.simulation

/** Heat spreads over a plate whose upper edge is hot. */
internal suspend fun main(args: Array<String>) =
    simulation("heat", args) {
        val u by doubles(rows = 512, columns = 512, halo = 1) { i, _ -> if (i < 0) 100.0 else 0.0 }
        var time by replicated(0.0)
        for (step in steps(until = 2_000)) {
            u.exchangeHalo()
            u.update { i, j ->
                u[i, j] + 0.2 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j])
            }
            time += 0.1
        }
        finished { if (rank == 0) println("heat has spread until $time") }
    }
// endregion
