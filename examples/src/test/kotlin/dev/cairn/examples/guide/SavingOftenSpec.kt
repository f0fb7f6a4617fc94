package dev.cairn.examples.guide

import dev.cairn.checkpoints
import dev.cairn.concentrate.Concentrators
import dev.cairn.concentrate.dedicate
import dev.cairn.event.ExitCode
import dev.cairn.event.SaveOutcome
import dev.cairn.examples.parts.SavingOftenInJava
import dev.cairn.java.BlockingRanks
import dev.cairn.options.SimulationOptions
import dev.cairn.options.Wait
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.reading.StoredCheckpoints
import dev.cairn.runSimulation
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries

class SavingOftenSpec :
    FunSpec({
        test("a loop that Cairn keeps goes on while its saves are written") {
            val directory = tempdir().toPath().resolve("sum.cairn")
            sum(arrayOf("--dir", "$directory")) shouldBe ExitCode.FINISHED
            newestStep(directory) shouldBe 100
        }

        test("its saves may go to the disk of the host first") {
            val directory = tempdir().toPath().resolve("sum.cairn")
            val scratch = tempdir().toPath().resolve("saves")
            sumLocally(arrayOf("--dir", "$directory"), scratch) shouldBe ExitCode.FINISHED
            newestStep(directory) shouldBe 100
            scratch
                .listDirectoryEntries()
                .single()
                .listDirectoryEntries()
                .shouldBeEmpty()
        }

        test("so does a loop of its own, in Kotlin and in Java") {
            val kotlin = tempdir().toPath().resolve("own.cairn")
            ranks(3) { walk(kotlin) }
            newestStep(kotlin) shouldBe 100
            val java = tempdir().toPath().resolve("java.cairn")
            BlockingRanks.run(3) { SavingOftenInJava.walk(it, java) }
            newestStep(java) shouldBe 100
        }

        test("ranks that the program gives up write for the others") {
            val simulated = tempdir().toPath().resolve("sum.cairn")
            sum(arrayOf("--dir", "$simulated", "--ranks", "4", "--dedicated", "total:1")) shouldBe ExitCode.FINISHED
            newestStep(simulated) shouldBe 100
            val own = tempdir().toPath().resolve("own.cairn")
            ranks(4) { walkBesideDedicatedRanks(own) }
            StoredCheckpoints(own).openNewest().use { it.save.rankCount shouldBe 3 }
        }
    })

// region simulation
private suspend fun sum(args: Array<String>): ExitCode {
    val options =
        SimulationOptions {
            checkpoints { wait = Wait.COPIED }
            every = 10
        }
    return runSimulation("sum", args, options) {
        var sum by replicated(0L)
        for (step in steps(until = 100)) sum += step
    }
}
// endregion

// region local
private suspend fun sumLocally(args: Array<String>, scratch: Path): ExitCode {
    val options =
        SimulationOptions {
            checkpoints {
                wait = Wait.LOCAL
                local = scratch
            }
            every = 10
        }
    return runSimulation("sum", args, options) {
        var sum by replicated(0L)
        for (step in steps(until = 100)) sum += step
    }
}
// endregion

// region loop
private suspend fun Communicator.walk(directory: Path) {
    var sum = 0L
    checkpoints(directory) { replicated("sum", { sum }, { sum = it }) }.use {
        val first = it.restore()?.step ?: 0
        for (step in first + 1..100) {
            sum += step
            if (step % 10 == 0L) it.saveAsync(step) // returns when the state is copied
            it.progress() // lets the save go on, and waits for none
            val last = it.lastSave
            if (last is SaveOutcome.Failed && rank == 0) println(last)
        }
    } // waits until the last save is committed
}
// endregion

// region dedicated
private suspend fun Communicator.walkBesideDedicatedRanks(directory: Path) {
    dedicate(Concentrators.perHost(1)) { dedicated ->
        // runs on the other ranks, which have numbers from 0 here
        var sum = 0L
        checkpoints(directory, dedicated = dedicated) { replicated("sum", { sum }, { sum = it }) }.use {
            val first = it.restore()?.step ?: 0
            for (step in first + 1..100) {
                sum += step
                if (step % 10 == 0L) it.saveAsync(step) // returns when a dedicated rank has the state
                it.progress()
            }
        }
    } // a dedicated rank comes here when it has written everything
}
// endregion

private fun newestStep(directory: Path): Long = StoredCheckpoints(directory).openNewest().use { it.save.step }
