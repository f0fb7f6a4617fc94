package dev.cairn.examples.guide

import dev.cairn.Simulation
import dev.cairn.testing.RestartTrial
import io.kotest.core.spec.style.FunSpec

// region restart-trial

/** The program: `simulation("heat", args) { heat() }`. */
private suspend fun Simulation.heat() {
    val u by doubles(rows = 16, columns = 8, halo = 1) { i, _ -> if (i < 0) 100.0 else 0.0 }
    for (step in steps(until = 30)) {
        u.exchangeHalo()
        u.update { i, j -> u[i, j] + 0.2 * (u[i - 1, j] + u[i + 1, j] - 2 * u[i, j]) }
    }
}

class HeatRestartSpec :
    FunSpec({
        test("a restart changes nothing") {
            RestartTrial(rankCount = 4, breakAt = 17).run { heat() }
        }
    })
// endregion
