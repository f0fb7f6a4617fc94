package dev.cairn.examples.guide

import dev.cairn.Simulation
import dev.cairn.event.ExitCode
import dev.cairn.ranks.allReduce
import dev.cairn.runSimulation
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import kotlin.math.abs

// region converge

/** Heat spreads along a rod until no cell changes any more. Returns after how many steps. */
private suspend fun Simulation.relax(tolerance: Double): Long {
    val u by doubles(rows = 32, columns = 1, halo = 1) { i, _ -> if (i < 0) 1.0 else 0.0 }
    var stepCount by replicated(0L)
    val steps = steps(until = 100_000)
    for (step in steps) {
        u.exchangeHalo()
        var change = 0.0
        u.update { i, j ->
            val next = (u[i - 1, j] + u[i + 1, j]) / 2
            change = maxOf(change, abs(next - u[i, j]))
            next
        }
        stepCount = step + 1
        // The same on all ranks, so that all finish in the same step.
        if (ranks.allReduce(change, Math::max) < tolerance) steps.finish()
    }
    return stepCount
}
// endregion

class ConvergenceSpec :
    FunSpec({
        val store = tempdir().toPath().resolve("rod.cairn")

        suspend fun run(tolerance: Double, vararg options: String): Long {
            var count = 0L
            val arguments = arrayOf("--dir", "$store", "--every", "100", *options)
            runSimulation("rod", arguments) { count = relax(tolerance) } shouldBe ExitCode.FINISHED
            return count
        }

        test("it saves where it has converged, stays there, and continues on request") {
            val first = run(1e-4)
            first shouldBeLessThan 100_000
            run(1e-4, "--ranks", "3") shouldBe first
            first shouldBeLessThan run(1e-6, "--go-on")
        }
    })
