package dev.cairn

import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.ExitCode
import dev.cairn.java.BlockingSimulation
import dev.cairn.options.SimulationOptions
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RunReport.Outcome
import dev.cairn.ranks.attemptRanks
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.stopFileOf
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.io.path.createFile

/** The code after a loop runs only when there are results. */
class FinishedSpec :
    FunSpec({
        quietly()

        test("a program that stops early has no results; one that has finished has them at each start") {
            val program = Spinning()
            program.run(stopIn = "spin-up 0") shouldBe ExitCode.UNFINISHED
            program.results.shouldBeEmpty()
            program.run() shouldBe ExitCode.FINISHED
            program.results shouldBe listOf("spin-up 6", "production 12")
            program.run() shouldBe ExitCode.FINISHED
            program.results shouldBe listOf("spin-up 6", "production 12", "production 12")
        }

        test("a loop whose state is over, since a later one was restored, has none") {
            val program = Spinning()
            program.run(stopIn = "production 0") shouldBe ExitCode.UNFINISHED
            program.results shouldBe listOf("spin-up 6")
            program.run() shouldBe ExitCode.FINISHED
            program.results shouldBe listOf("spin-up 6", "production 12")
        }

        test("a stop at the last step of a loop lets that one finish, and not the next one") {
            val program = Spinning(spinUp = 1)
            program.run(stopIn = "spin-up 0") shouldBe ExitCode.UNFINISHED
            program.results shouldBe listOf("spin-up 0")
        }

        test("a loop that was left by break has not ended, and is refused") {
            shouldThrow<InvalidDeclaration> {
                simulated {
                    for (step in steps(until = 10)) if (step == 3L) break
                    finished { error("no result") }
                }
            }.message shouldBe
                "the loop without a phase is not over: step 3 has begun and not ended, so there is no result yet. " +
                "Call finished { … } or hasFinished() after the loop. To end a loop early, call finish() of its " +
                "steps instead of leaving it by break."
        }

        test("before the first loop nothing can have finished") {
            shouldThrow<IllegalStateException> { simulated { finished { error("no result") } } }.message shouldBe
                "no loop has begun yet, so none is over: call finished { … } or hasFinished() after a loop of steps()"
        }

        test("in Java a condition asks for the same") {
            val store = tempdir().toPath().resolve("java.cairn")
            var results = 0

            fun run() =
                BlockingSimulation.run("java", arrayOf("--dir", "$store")) { simulation ->
                    for (step in simulation.steps(10)) check(step < 10)
                    if (simulation.hasFinished()) results++
                }
            stopFileOf(store).createFile()
            run() shouldBe ExitCode.UNFINISHED
            results shouldBe 0
            run() shouldBe ExitCode.FINISHED
            results shouldBe 1
        }
    })

/** Throws what the program has thrown. */
private suspend fun simulated(body: suspend Simulation.() -> Unit) {
    val files = SimulatedDisk().host("node0")
    val report = attemptRanks(RankPlan(1)) { simulate("one", files = files, body = body) }
    (report.outcomes.single() as? Outcome.Threw)?.let { throw it.failure }
}

/** A program on two ranks with two loops, which adds up their steps. */
private class Spinning(private val spinUp: Long = 4) {
    private val files = SimulatedDisk().host("node0")

    /** Of rank 0, in all runs. */
    val results = mutableListOf<String>()

    suspend fun run(stopIn: String? = null): ExitCode =
        ranks(2) {
            simulate("spinning", options = SimulationOptions { directory = STORE }, files = files) {
                var sum by replicated(0L)
                for ((phase, until) in listOf("spin-up" to spinUp, "production" to 4L)) {
                    for (step in steps(until, phase)) {
                        sum += step
                        if (rank == 0 && "$phase $step" == stopIn) files.create(stopFileOf(STORE)).close()
                    }
                    finished { if (rank == 0) results += "$phase $sum" }
                }
            }
        }.toSet().single()

    private companion object {
        val STORE: Path = Path.of("spinning.cairn")
    }
}
