package dev.cairn.mpi

import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.and
import dev.cairn.house.needs
import dev.cairn.mpi.MpiWay.BINDINGS
import dev.cairn.mpi.MpiWay.MPICH
import dev.cairn.mpi.MpiWay.OPEN_MPI
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.ranges.shouldBeIn
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path

/** An MPI whose MPI_Finalize does not return: the program ends nevertheless, with its own exit code, and so does its launcher. */
class EndlessFinalizeSpec :
    FunSpec({
        val directory = tempdir().toPath()

        fun planted(way: MpiWay): Path =
            directory.resolve("$way.so").also { compile("endless_finalize.c", it, library = LIBRARIES.getValue(way)) }

        fun shouldEnd(way: MpiWay, end: String, code: Int, vararg variables: Pair<String, String>): String {
            val library = planted(way)
            val (options, preloaded) =
                if (way == BINDINGS) {
                    emptyList<String>() to mapOf("LD_PRELOAD" to "$library")
                } else {
                    listOf("-Dcairn.mpi.library=$library") to emptyMap()
                }
            val program =
                way.start(
                    COUNT,
                    options + "-Dcairn.transport.close-seconds=1",
                    "dev.cairn.mpi.EndingKt",
                    end,
                    variables = preloaded + variables,
                )
            val output = program.inputReader().readText()
            withClue(output) {
                program.waitFor() shouldBe code
                // When a process has ended with a code that is not 0, the launcher may kill the others before they say it.
                val sentences = if (code == 0) COUNT..COUNT else 1..COUNT
                output.lines().count { "has not ended within 1s" in it } shouldBeIn sentences
            }
            return output
        }

        for (way in MpiWay.drawn(Campaign.MPI_FAILURE_WAYS)) {
            val isThere by lazy { way.isUsed and Need.C_COMPILER.given(hasCompiler()) }

            test("$way: the program ends by exitProcess").config(enabledOrReasonIf = needs { isThere }) {
                shouldEnd(way, "75", 75) shouldContain
                    "(-Dcairn.transport.close-seconds), though every rank has ended."
            }

            // Open MPI's mpirun makes 1 of the 0 of a process that has not called MPI_Finalize.
            test("$way: main returns").config(enabledOrReasonIf = needs { isThere }) {
                shouldEnd(way, "return", if (way == MPICH) 0 else 1)
            }

            test("$way: one rank does not call MPI_Finalize, for which the others wait there")
                .config(enabledOrReasonIf = needs { isThere }) {
                    shouldEnd(way, "75", 75, variables = arrayOf("LINGERS" to "1"))
                }

            test("$way: all ranks know of a failure").config(enabledOrReasonIf = needs { isThere }) {
                shouldEnd(way, "failure", 1) shouldContain "'read the mesh' was abandoned on all ranks, because rank 1"
            }
        }
    })

private const val COUNT = 2

private val LIBRARIES =
    mapOf(BINDINGS to "libmpi.so.40", OPEN_MPI to "libmpi.so.40", MPICH to "libmpich.so.12")
