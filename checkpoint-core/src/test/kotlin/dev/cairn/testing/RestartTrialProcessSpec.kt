package dev.cairn.testing

import dev.cairn.Simulation
import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.needs
import dev.cairn.ranks.Launch
import dev.cairn.ranks.broadcastLong
import dev.cairn.simulation
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import kotlinx.coroutines.runBlocking
import java.io.BufferedWriter
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption.APPEND
import java.nio.file.StandardOpenOption.CREATE

/** Trials of programs as commands, whose runs are processes that are killed. */
class RestartTrialProcessSpec :
    FunSpec({
        val trial = RestartTrial(rankCount = 2, breakAt = 5, restartOn = listOf(3))

        fun tried(fault: String) = trial.runMain(tempdir().toPath(), TriedProgram::class.java.name, fault)

        // Each trial takes eight processes.
        val chosen = Campaign.STARTED_PROGRAMS.someOf(listOf("buffer", "none", "static"))

        test("a right program passes, with its outputs").config(
            enabledOrReasonIf = needs { Need.CAMPAIGN.given("none" in chosen) },
        ) {
            val report = tried("none")
            "$report" shouldBe
                "compared 2 items and 1 output over 12 steps; a state that influences none of these is not seen"
            report.outputs shouldBe setOf("sums.txt")
        }

        test("a static variable is reset by a new JVM, and found if it is state").config(
            enabledOrReasonIf = needs { Need.CAMPAIGN.given("static" in chosen) },
        ) {
            val differs = shouldThrow<RestartDiffers> { tried("static") }
            differs.items shouldBe listOf("sum")
            differs.step shouldBe 6
            differs.message shouldStartWith
                "[sum] differ first at step 6, after a restart from step 5 of 2 ranks on 3. Some state"
            differs.message shouldContain " Replicated 'sum': 21 without the interruption, 16 after it."
        }

        test("lines in the buffer of a killed program are missed").config(
            enabledOrReasonIf = needs { Need.CAMPAIGN.given("buffer" in chosen) },
        ) {
            val differs = shouldThrow<RestartDiffers> { tried("buffer") }
            differs.items shouldBe listOf("sums.txt")
            differs.message shouldContain " 'sums.txt', line 1: 'step 0' without the interruption, 'step 5' after it."
        }

        test("a program that fails is shown with the end of what it printed") {
            shouldThrow<IllegalStateException> { tried("failure") }.message shouldContain
                "there is no such fault: failure"
        }

        test("a directory with an earlier trial, and a seed, are refused") {
            val directory = tempdir().toPath()
            Files.createDirectories(directory.resolve("run-1").resolve("trial.cairn"))
            shouldThrow<IllegalArgumentException> { trial.runMain(directory, "Any") }.message shouldBe
                "${directory.resolve("run-1")} holds an earlier trial already: give each trial a directory of its own"
            shouldThrow<IllegalArgumentException> { trial.withSeed(7).runMain(directory, "Any") }.message shouldBe
                "seed and wait are for programs that run in this process"
        }

        test("a trial under mpirun is refused, as its programs would take themselves for ranks") {
            val launch = Launch.of(mapOf("OMPI_COMM_WORLD_RANK" to "1", "OMPI_COMM_WORLD_SIZE" to "2"))
            shouldThrow<IllegalArgumentException> { requireAlone(launch) }.message shouldBe
                "mpirun started this process as rank 1 of 2, and a trial starts the program itself: start the trial " +
                "without a launcher"
        }

        test("a launcher is refused where it has no meaning, or its processes would stay") {
            shouldThrow<IllegalArgumentException> { trial.withLauncher("srun", "-n") }.message shouldBe
                "srun's processes are those of a daemon, and outlive a run that is killed: launch them by mpirun or mpiexec"
            shouldThrow<IllegalArgumentException> {
                RestartTrial(breakAt = 5).withConfirmation().withLauncher("mpirun", "-n")
            }.message shouldBe "forgotten state is confirmed on one rank, without a launcher"
            shouldThrow<IllegalArgumentException> {
                trial.withLauncher("mpirun", "-n").run { for (step in steps(until = 10)) Unit }
            }.message shouldBe "inputs and a launcher are for programs that are started by runMain()"
        }
    })

/** A program with a fault that its first argument names. */
internal object TriedProgram {
    private var hidden = 0L

    @JvmStatic
    fun main(args: Array<String>) =
        runBlocking {
            simulation("tried", args.copyOfRange(1, args.size)) { if (args[0] == "buffer") buffer() else sum(args[0]) }
        }

    private suspend fun Simulation.sum(fault: String) {
        var count by replicated(0L)
        var sum by replicated(0L)
        val sums by output(Path.of("sums.txt"))
        check(fault in listOf("none", "static")) { "there is no such fault: $fault" }
        for (step in steps(until = 12)) {
            count++
            if (rank == 0) hidden = if (fault == "static") hidden + 1 else count
            sum += if (fault == "static") ranks.broadcastLong(0, hidden) else count
            sums.line("step $step")
        }
    }

    /** It opens its output itself, and does not flush it before saves. */
    private suspend fun Simulation.buffer() {
        var writer: BufferedWriter? = null
        val file = Path.of("sums.txt")
        appendedFile("sums", file)
        for (step in steps(until = 12)) {
            if (rank == 0) {
                if (step == 0L) Files.deleteIfExists(file)
                val lines = writer ?: Files.newBufferedWriter(file, CREATE, APPEND).also { writer = it }
                lines.write("step $step\n")
            }
        }
        writer?.close()
    }
}
