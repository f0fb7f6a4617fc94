package dev.cairn.proof.behind

import dev.cairn.event.CheckpointEvent
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.Wait
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Fault
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.attemptRanks
import dev.cairn.ranks.ranks
import dev.cairn.report.EventHistory
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.DIRECTORY
import dev.cairn.store.SaveNames
import dev.cairn.store.withParent
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf

/** The lines of the store's file of events are written in the background, in the order of the events, and all of them. */
class EventLinesSpec :
    FunSpec({
        quietly()

        test("a program goes on, and its save is committed, while a line of the file of events is held up") {
            val disk = SimulatedDisk().withParent()
            val gate = HeldFile(EVENTS, Kind.WRITE)
            val heard = mutableListOf<CheckpointEvent>()
            ranks(2) {
                Meter().open(this, gate.inFrontOf(disk.host("node0")), CheckpointOptions { listener(heard::add) }).use {
                    it.saveAsync(1)
                    while (it.progress() !is Saved) Thread.onSpinWait()
                    linesIn(disk.host("node0")).size shouldBe 0
                    barrier()
                    gate.open()
                }
            }
            linesIn(disk.host("node0")) shouldContainExactly heard.map { "$it" }
        }

        for (wait in listOf(Wait.COMMITTED, Wait.COPIED)) {
            test("in any order of ranks and workers the lines are those of the events, when the program waits, $wait") {
                for (seed in 1L..40) {
                    val disk = SimulatedDisk().withParent()
                    val files = disk.host("node0")
                    val heard = mutableListOf<CheckpointEvent>()
                    val options =
                        CheckpointOptions {
                            this.wait = wait
                            listener(heard::add)
                        }
                    withClue("seed $seed") {
                        ranks(RankPlan(2, Schedule.Deterministic(seed))) {
                            val checkpoints = Meter().open(this, files, options)
                            for (step in 1L..4) {
                                checkpoints.trySave(step)
                                if (wait == Wait.COMMITTED &&
                                    rank == 0
                                ) {
                                    linesIn(files) shouldContainExactly heard.map { "$it" }
                                }
                            }
                            checkpoints.awaitSaves().shouldBeInstanceOf<Saved>()
                            if (rank == 0) linesIn(files) shouldContainExactly heard.map { "$it" }
                            checkpoints.trySave(5)
                            // Gives up a save that is under way.
                            checkpoints.close()
                        }
                        linesIn(files) shouldContainExactly heard.map { "$it" }
                    }
                }
            }
        }

        test("a process that has died writes no line any more") {
            val deaths =
                (1L..40).count { operation ->
                    val watch = LineWatch(SimulatedDisk().withParent().host("node0"))
                    val plan =
                        RankPlan(2, Schedule.Deterministic(operation), hosts = { "node$it" })
                            .withFaults(listOf(Fault.HostDies("node0", operation)))
                            .withOnHostDeath { watch.isDead = true }
                    val options = CheckpointOptions { wait = Wait.COPIED }
                    attemptRanks(plan) {
                        Meter().open(this, watch, options).use { for (step in 1L..5) it.trySave(step) }
                    }
                    withClue("operation $operation") { watch.lateCount shouldBe 0 }
                    watch.isDead
                }
            (deaths > 10) shouldBe true
        }
    })

private val EVENTS = DIRECTORY.resolve(SaveNames.EVENTS)

private fun linesIn(files: BlockStore): List<String> =
    EventHistory.read(files, DIRECTORY.resolve(SaveNames.OLDER_EVENTS), EVENTS).lines.map { "${it.event}" }

/** Counts the lines that are written when the process [isDead]. */
private class LineWatch(target: BlockStore) : ForwardingStore(target) {
    var isDead = false
    var lateCount = 0
        private set

    override fun onOperation(operation: BlockStore.Operation) {
        if (isDead && operation.kind() == Kind.WRITE && operation.path() == EVENTS) lateCount++
    }
}
