package dev.cairn.proof.behind

import dev.cairn.checkpoints
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointEvent.ProgramEnd
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.NotSaved
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.RankFailedException
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.event.shouldThrowFor
import dev.cairn.house.Campaign
import dev.cairn.java.BlockingCheckpoints
import dev.cairn.java.BlockingRanks
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.SimulationOptions
import dev.cairn.options.Wait
import dev.cairn.options.WhenBusy
import dev.cairn.proof.log.quietly
import dev.cairn.proof.state.Known
import dev.cairn.proof.state.restoreKnown
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.collectively
import dev.cairn.ranks.ranks
import dev.cairn.simulate
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.StreamRule
import dev.cairn.store.DIRECTORY
import dev.cairn.store.withParent
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.io.IOException

/** Saves that the program does not wait for: what they hold, when they end, and what the program learns of them. */
class AsyncSavesSpec :
    FunSpec({
        quietly()

        for (known in Known.entries) {
            test("a save of the state $known holds what the program had, however far it has gone on meanwhile") {
                for (seed in 1L..Campaign.SEEDS.limit(400) / 10) {
                    val disk = SimulatedDisk().withParent()
                    withClue("seed $seed") {
                        ranks(RankPlan(3, Schedule.Deterministic(seed))) { saveAsync(known, disk.host("node0"), 1L..4) }
                        for (count in 1..4) {
                            ranks(count) { restoreKnown(known, disk.host("node0"))?.step }.distinct() shouldBe
                                listOf(4L)
                        }
                    }
                }
            }

            test("ranks on several threads save the state $known alike") {
                repeat(20) {
                    val disk = SimulatedDisk().withParent()
                    ranks(3) { saveAsync(known, disk.host("node0"), 1L..4) }
                    ranks(2) { restoreKnown(known, disk.host("node0"))?.step }.distinct() shouldBe listOf(4L)
                }
            }
        }

        test("listeners and the handle learn that the save is copied, and then how it ended") {
            val events = mutableListOf<CheckpointEvent>()
            val disk = SimulatedDisk().withParent()
            val outcomes =
                ranks(2) {
                    val meter = Meter()
                    meter.open(this, disk.host("node0"), CheckpointOptions { listener(events::add) }).use {
                        val save = it.saveAsync(1)
                        save.outcome.shouldBeInstanceOf<SaveOutcome.Copied>().number shouldBe 1
                        it.lastSave shouldBe save.outcome
                        meter.value = 2
                        val saved = save.await()
                        saved.step shouldBe 1
                        save.outcome shouldBe saved
                        it.lastSave shouldBe saved
                        save.await() shouldBe saved
                        saved
                    }
                }
            outcomes.distinct().size shouldBe 1
            events.map { it::class.simpleName } shouldBe listOf("Started", "Begun", "Copied", "Saved", "Ended")
        }

        test("a program with a loop of its own makes the save go on, and never waits for it") {
            val disk = SimulatedDisk().withParent()
            val gate = Gate()
            ranks(2) {
                val meter = Meter()
                meter.open(this, gate.inFrontOf(disk.host("node0"))).use {
                    it.saveAsync(1)
                    repeat(5) { _ -> it.progress().shouldBeInstanceOf<SaveOutcome.Copied>() }
                    collectively("open the gate") { if (rank == 0) gate.open() }
                    while (it.progress() !is Saved) Thread.onSpinWait()
                }
            }
        }

        test("a save that finds another one under way waits for it, or is skipped and counted") {
            for (whenBusy in WhenBusy.entries) {
                val disk = SimulatedDisk().withParent()
                val gate = Gate()
                ranks(2) {
                    val meter = Meter()
                    val options = CheckpointOptions { this.whenBusy = whenBusy }
                    meter.open(this, gate.inFrontOf(disk.host("node0")), options).use {
                        it.saveAsync(1)
                        if (whenBusy == WhenBusy.WAIT) gate.open()
                        val second = it.saveAsync(2)
                        if (whenBusy == WhenBusy.SKIP) {
                            second.outcome.shouldBeInstanceOf<SaveOutcome.Skipped>().reason shouldBe
                                "save 1, step 1, is still being written, and when-busy is skip"
                            shouldThrowFor<CheckpointException.NotSaved>(
                                Reason.SKIPPED,
                            ) { second.await() }.message shouldBe
                                "a save at step 2 was skipped: save 1, step 1, is still being written, and " +
                                "when-busy is skip. There is no checkpoint to wait for: set when-busy = wait, or " +
                                "check the outcome of a save before you await it."
                            barrier()
                            gate.open()
                            it.awaitSaves().shouldBeInstanceOf<Saved>().step shouldBe 1
                        } else {
                            second.await().number shouldBe 2
                        }
                    }
                }
            }
        }

        test("an error of the disk in the background is an outcome, and the next save succeeds") {
            val disk = SimulatedDisk().withParent()
            var isBroken = true
            ranks(2) {
                val store = brokenFor(rank = 1, disk.host("node0")) { isBroken }
                val meter = Meter()
                meter.open(this, store).use {
                    val save = it.saveAsync(1)
                    shouldThrow<RankFailedException> { it.awaitSaves() }
                    it.lastSave.shouldBeInstanceOf<SaveOutcome.Failed>().reason shouldContain "broken"
                    shouldThrow<Exception> { save.await() }
                    barrier()
                    isBroken = false
                    it.saveAsync(2).await().number shouldBe 2
                }
            }
        }

        test("values that should be the same are compared before the program goes on") {
            val disk = SimulatedDisk().withParent()
            ranks(2) {
                checkpoints(DIRECTORY, files = disk.host("node0")) { replicated("n", { rank }, {}) }.use {
                    shouldThrow<CheckpointException.InvalidDeclaration> { it.saveAsync(1) }
                }
            }
        }

        test("the steps of a simulation do not wait for their saves, but the end does") {
            val disk = SimulatedDisk().withParent()
            val events = mutableListOf<CheckpointEvent>()
            ranks(2) {
                val options =
                    SimulationOptions {
                        checkpoints {
                            wait = Wait.COPIED
                            listener(events::add)
                        }
                        every = 2
                    }
                simulate("count", options = options, files = disk.host("node0")) {
                    var n by replicated(0L)
                    for (step in steps(until = 9)) n = step
                }
            }
            events.filterIsInstance<Saved>().map { it.step } shouldBe listOf(2L, 4L, 6L, 8L, 9L)
            events.filterIsInstance<SaveOutcome.Copied>().map { it.step } shouldBe listOf(2L, 4L, 6L, 8L)
            events.dropLast(1).last().shouldBeInstanceOf<CheckpointEvent.Deleted>()
            events.last() shouldBe CheckpointEvent.Ended(ProgramEnd.FINISHED, 9)
        }

        test("a block that is left by return awaits its save as well") {
            val disk = SimulatedDisk().withParent()
            ranks(2) { saveAndReturn(disk.host("node0")) } shouldBe listOf(7, 7)
            ranks(2) { Meter().open(this, disk.host("node0")).use { it.restore()?.step } } shouldBe listOf(1L, 1L)
        }

        test("a block at whose end the last save fails throws on all ranks") {
            val disk = SimulatedDisk().withParent()
            ranks(2) {
                val store = brokenFor(rank = 1, disk.host("node0"))
                shouldThrow<RankFailedException> { Meter().open(this, store).use { it.saveAsync(1) } }
            }
        }

        test("a stream that the program cannot write fails before the program goes on") {
            val disk = SimulatedDisk().withParent()
            ranks(2) {
                checkpoints(DIRECTORY, files = disk.host("node0")) {
                    stream("log", { check(rank == 0) { "no log" } }, {}, StreamRule.Drop)
                }.use {
                    shouldThrowFor<NotSaved>(Reason.PROGRAM) { it.saveAsync(1) }.message shouldContain "no log"
                    it.lastSave.shouldBeInstanceOf<SaveOutcome.Failed>()
                }
            }
        }

        test("a Java program that closes while a save is under way gets an exception at once") {
            val disk = SimulatedDisk().withParent()
            val gate = Gate()
            BlockingRanks.run(2) { ranks ->
                val open =
                    BlockingCheckpoints.open(ranks, DIRECTORY, files = gate.inFrontOf(disk.host("node0"))) { state ->
                        state.replicated("value", { 1L }, {})
                    }
                open.saveAsync(1)
                ranks.barrier()
                shouldThrow<IllegalStateException> { open.close() }.message shouldContain
                    "Call awaitSaves() before close()"
                gate.open()
                open.close()
            }
        }

        test("Java programs have the same") {
            val disk = SimulatedDisk().withParent()
            BlockingRanks.run(2) { ranks ->
                var value = 1L
                BlockingCheckpoints
                    .open(ranks, DIRECTORY, files = disk.host("node0")) { state ->
                        state.replicated("value", { value }, { value = it })
                    }.use {
                        val save = it.saveAsync(1)
                        value = 2
                        it.progress()
                        it.await(save).step shouldBe 1
                        it.saveAsync(2)
                        it.awaitSaves().get() shouldBe it.lastSave().get()
                        value = 3
                        it.saveAsync(3)
                        it.awaitSaves()
                    }
                BlockingCheckpoints
                    .open(ranks, DIRECTORY, files = disk.host("node0")) { state ->
                        state.replicated("value", { value }, { value = it })
                    }.use { it.restore().get().step shouldBe 3 }
            }
        }
    })

private suspend fun Communicator.saveAndReturn(files: BlockStore): Int {
    Meter().open(this, files).use {
        it.saveAsync(1)
        return 7
    }
}

/** The disk of a host, on which [rank] cannot write its data while it [isBroken]. */
private fun Communicator.brokenFor(rank: Int, store: BlockStore, isBroken: () -> Boolean = { true }): BlockStore =
    object : ForwardingStore(store) {
        override fun onOperation(operation: BlockStore.Operation) {
            val isData = operation.kind() == BlockStore.Operation.Kind.WRITE && "data.sion" in "${operation.path()}"
            if (isBroken() && isData && this@brokenFor.rank == rank &&
                operation.length() > 100
            ) {
                throw IOException("broken")
            }
        }
    }
