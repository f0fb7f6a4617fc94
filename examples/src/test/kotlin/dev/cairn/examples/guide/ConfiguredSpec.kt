package dev.cairn.examples.guide

import dev.cairn.checkpoints
import dev.cairn.event.ExitCode
import dev.cairn.examples.parts.ConfiguredInJava
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DataFiles
import dev.cairn.options.SimulationOptions
import dev.cairn.ranks.ranks
import dev.cairn.runSimulation
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.time.Duration.Companion.minutes

/** The snippets of docs/reference/settings.md. */
class ConfiguredSpec :
    FunSpec({
        val directory = tempdir().toPath()

        fun saves(name: String) =
            directory
                .resolve(name)
                .listDirectoryEntries("0*")
                .map { it.name }
                .sorted()

        test("a simulation saves as its program says, and as the command line says over that") {
            suspend fun run(args: Array<String>): ExitCode {
                // region simulation
                val options =
                    SimulationOptions {
                        checkpoints {
                            files = DataFiles.perHost()
                            keepLast = 3
                        }
                        every = 100
                    }
                val code =
                    runSimulation("growth", args, options) {
                        var size by replicated(1.0)
                        for (step in steps(until = 1_000)) size *= 1.001
                    }
                // endregion
                return code
            }
            run(arrayOf("--dir", "${directory.resolve("a")}")) shouldBe ExitCode.FINISHED
            val others = arrayOf("--dir", "${directory.resolve("b")}", "--every", "500", "--keep-last", "5")
            run(others) shouldBe ExitCode.FINISHED
            saves("a") shouldBe listOf("000008", "000009", "000010")
            saves("b") shouldBe listOf("000001", "000002")
        }

        test("a loop of one's own asks for what stands around it") {
            ranks(2) {
                val directory = directory.resolve("own")
                var size = 1.0
                // region own-loop
                val program =
                    CheckpointOptions {
                        keepLast = 3
                        limit = 5.minutes
                    }
                val options = program.configured()
                checkpoints(directory, options) { replicated("size", { size }, { size = it }) }.use { checkpoints ->
                    checkpoints.save(step = 1)
                }
                // endregion
            }
            saves("own") shouldBe listOf("000001")
        }

        test("a program in Java says the same") {
            "${ConfiguredInJava.options()}" shouldContain "files = function"
        }
    })
