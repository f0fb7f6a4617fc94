package dev.cairn.examples.guide

import dev.cairn.Checkpoints
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.ExitCode
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.ranks
import dev.cairn.runSimulation
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import java.io.IOException
import java.nio.file.Path
import kotlin.io.path.readLines

// region listener
private suspend fun sum(args: Array<String>, alarm: (String) -> Unit) =
    runSimulation("sum", args) {
        var sum by replicated(0L)
        listen { event -> if (event is SaveOutcome.Failed) alarm("$event") }
        for (step in steps(until = 100)) sum += step
    }
// endregion

// region try-save

/** Saves if it can, and gives up after the third time in a row that it cannot. Returns how often in a row it could not. */
private suspend fun Checkpoints.saveOrGoOn(step: Long, failedBefore: Int): Int =
    when (val outcome = trySave(step)) {
        is Saved, is SaveOutcome.UnderWay, is SaveOutcome.Superseded -> 0
        is SaveOutcome.Skipped, is SaveOutcome.Failed -> (failedBefore + 1).also { check(it < 3) { "$outcome" } }
    }
// endregion

class FailingSavesSpec :
    FunSpec({
        val directory = tempdir().toPath()

        test("a simulation receives the events of its saves, and writes them down") {
            val events = directory.resolve("sum.jsonl")
            val alarms = mutableListOf<String>()
            val args = arrayOf("--dir", "${directory.resolve("sum.cairn")}", "--every", "50", "--events", "$events")
            sum(args, alarms::add) shouldBe ExitCode.FINISHED
            alarms shouldHaveSize 0
            events.readLines() shouldHaveSize 6
        }

        test("a loop of one's own continues until the third save in a row has failed") {
            val heard = mutableListOf<CheckpointEvent>()
            val options = CheckpointOptions { listener { heard += it } }
            var isFull = true
            val files =
                object : ForwardingStore(FileBlockStore()) {
                    override fun onOperation(operation: BlockStore.Operation) {
                        if (isFull && operation.isWriteOfData()) throw IOException("no space left")
                    }
                }
            val counts =
                ranks(1) {
                    checkpoints(directory.resolve("own.cairn"), options, files) { replicated("n", { 1L }, {}) }.use {
                        var failed = 0
                        (1L..3L).map { step ->
                            isFull = step < 3
                            it.saveOrGoOn(step, failed).also { count -> failed = count }
                        }
                    }
                }
            counts.single() shouldBe listOf(1, 2, 0)
            heard.filterIsInstance<SaveOutcome>().map { it is Saved } shouldBe listOf(false, false, true)
        }
    })

private fun BlockStore.Operation.isWriteOfData() = kind() == BlockStore.Operation.Kind.WRITE && path().isData()

private fun Path.isData() = fileName.toString().startsWith("data")
