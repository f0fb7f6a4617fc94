package dev.cairn.examples.guide

import dev.cairn.Simulation
import dev.cairn.testing.RestartDiffers
import dev.cairn.testing.RestartTrial
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

// region witness

/** A library's clock, which is no state of Cairn's. */
private class Schedule {
    var time = 0.0
    var stepCount = 0
}

private suspend fun Simulation.colony(setsClock: Boolean) {
    val schedule = Schedule()
    var ants by replicated(100L)
    witness { "time ${schedule.time}, ${schedule.stepCount} steps" }
    for (step in steps(until = 30)) {
        if (setsClock) schedule.stepCount = step.toInt()
        schedule.stepCount++
        schedule.time = 0.5 * schedule.stepCount
        ants += ants / 10
    }
}

class WitnessSpec :
    FunSpec({
        val trial = RestartTrial(rankCount = 1, breakAt = 17, restartOn = listOf(1))

        test("a restart sets the clock of the schedule") {
            "${trial.run { colony(setsClock = true) }}" shouldBe
                "compared 1 item and 1 witness over 30 steps; a state that influences none of these is not seen"
        }

        test("a forgotten clock is found, although no ant notices") {
            shouldThrow<RestartDiffers> { trial.run { colony(setsClock = false) } }.items shouldBe listOf("witness")
        }
    })
// endregion
