package dev.cairn.examples

import dev.cairn.event.ExitCode
import dev.cairn.runSimulation
import dev.cairn.testing.RestartTrial
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe

class DartsSpec :
    FunSpec({
        test("a restart changes nothing") {
            RestartTrial(rankCount = 4, breakAt = 7).run { darts(count = 50, until = 12) }
        }

        test("a start with another number of darts does not print the result of the first one") {
            val store = tempdir().toPath().resolve("darts.cairn")

            suspend fun run(count: Long, vararg options: String): Pair<ExitCode, Double?> {
                var pi: Double? = null
                val code =
                    runSimulation("darts", arrayOf("--dir", "$store", *options)) { pi = darts(count, until = 100) }
                return code to pi
            }
            val first = run(1_000, "--ranks", "3")
            first.second!! shouldBe (Math.PI plusOrMinus 0.02)
            run(500) shouldBe (ExitCode.REFUSED to null)
            run(1_000) shouldBe first
        }
    })
