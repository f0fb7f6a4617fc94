package dev.cairn.mpi

import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.and
import dev.cairn.house.needs
import dev.cairn.mpi.MpiWay.MPICH
import dev.cairn.mpi.MpiWay.OPEN_MPI
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldEndWith
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.extension
import kotlin.io.path.walk

/** Trials of a program whose ranks are processes of a launcher. */
class LaunchedTrialSpec :
    FunSpec({
        /** What it prints; nothing of it stays behind. */
        fun tried(way: MpiWay, task: String, vararg arguments: String): String {
            val directory = tempdir().toPath()
            val trial = way.startTrial("dev.cairn.mpi.LaunchedTrialKt", task, directory, *arguments)
            val output = trial.inputReader().readText()
            withClue(output) { trial.waitFor() shouldBe 0 }
            directory
                .walk()
                .filter { it.extension == "hprof" }
                .toList()
                .shouldBeEmpty()
            processesOf(directory).shouldBeEmpty()
            return output.trimEnd()
        }

        for (way in Campaign.MPI_FAILURE_WAYS.someOf(listOf(OPEN_MPI, MPICH))) {
            val ifStarted = needs { Need.CAMPAIGN.given(Campaign.STARTED_PROGRAMS.isOn) and way.isUsed }

            test("$way: what processes forget is named once, with the rank").config(enabledOrReasonIf = ifStarted) {
                tried(way, "find") shouldEndWith
                    """
                    3 places of the memory differ at step 6, after a restart from step 5
                      local variable days of Flock.run of rank 0: 6 in the unbroken run, 1 after the restart (2 values differ); never declared
                      (local variable this of Flock.run).eaten[0] of rank 0 (Flock.eaten): 9 in the unbroken run, 6 after the restart (6 values differ); never declared
                      Flock.lambs of rank 1: 6 in the unbroken run, 1 after the restart; never declared
                    """.trimIndent()
            }

            test("$way: nothing is named if all was declared").config(enabledOrReasonIf = ifStarted) {
                tried(way, "find", "mindful") shouldEndWith
                    "\nnothing differs at step 6, after a restart from step 5"
            }

            test("$way: processes are killed, and continued").config(enabledOrReasonIf = ifStarted) {
                tried(way, "run", "mindful") shouldEndWith
                    "\ncompared 3 items over 12 steps; a state that influences none of these is not seen"
            }
        }
    })

/** Those whose checkpoints are below [directory], as their environment says. */
private fun processesOf(directory: Path): List<Long> =
    ProcessHandle
        .allProcesses()
        .map { it.pid() }
        .filter { pid ->
            val variables = Path.of("/proc/$pid/environ")
            runCatching { Files.readString(variables) }.getOrDefault("").contains("CAIRN_DIR=$directory")
        }.toList()
