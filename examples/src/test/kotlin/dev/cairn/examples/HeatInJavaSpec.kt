package dev.cairn.examples

import dev.cairn.Simulation
import dev.cairn.event.ExitCode
import dev.cairn.java.BlockingSimulation
import dev.cairn.runSimulation
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlin.io.path.createFile

/** A simulation in Java is the same as one in Kotlin, bit by bit, and ends in the same ways. */
class HeatInJavaSpec :
    FunSpec({
        val directory = tempdir().toPath()

        fun inJava(store: String, vararg options: String) =
            BlockingSimulation.run("heat", arrayOf("--dir", "${directory.resolve(store)}", *options)) { sim ->
                HeatInJava.heat(sim, 32, 60)
            }

        suspend fun inKotlin(store: String, vararg options: String) =
            runSimulation("heat", arrayOf("--dir", "${directory.resolve(store)}", *options)) { heat(32, 60) }

        test("each continues from the other's checkpoint, on other ranks, and ends with the same state") {
            inKotlin("unbroken", "--ranks", "2") shouldBe ExitCode.FINISHED
            directory.resolve("java.stop").createFile()
            inJava("java", "--ranks", "5") shouldBe ExitCode.UNFINISHED
            inKotlin("java", "--ranks", "3") shouldBe ExitCode.FINISHED
            lastDigests(directory.resolve("java")) shouldBe lastDigests(directory.resolve("unbroken"))

            directory.resolve("kotlin.stop").createFile()
            inKotlin("kotlin", "--ranks", "3") shouldBe ExitCode.UNFINISHED
            inJava("kotlin", "--ranks", "40", "--every", "7") shouldBe ExitCode.FINISHED
            lastDigests(directory.resolve("kotlin")) shouldBe lastDigests(directory.resolve("unbroken"))
        }

        test("a restart changes nothing") { HeatInJava.restartChangesNothing() }

        test("wrong arguments have their exit code, and what the program throws comes through") {
            inJava("wrong", "--rank", "3") shouldBe ExitCode.REFUSED
            shouldThrow<Exception> {
                BlockingSimulation.run(
                    "failing",
                    arrayOf("--dir", "${directory.resolve("failing")}", "--ranks", "3"),
                ) { sim ->
                    for (step in sim.steps(10)) if (sim.rank == 1 && step == 4L) error("no more heat")
                }
            }.message shouldContain "no more heat"
        }
    })

private suspend fun Simulation.heat(size: Long, until: Long) {
    val u by doubles(rows = size, columns = size, halo = 1) { i, _ -> if (i < 0) 100.0 else 0.0 }
    var time by replicated(0.0)
    for (step in steps(until)) {
        u.exchangeHalo()
        u.update { i, j -> u[i, j] + 0.2 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j]) }
        time = (step + 1) * 0.1
    }
}
