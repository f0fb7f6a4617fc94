package dev.cairn.proof.behind

import dev.cairn.event.SaveOutcome
import dev.cairn.options.CheckpointOptions
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.DIRECTORY
import dev.cairn.store.SaveNames
import dev.cairn.store.withParent
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.io.IOException

/** Rank 0 waits for a deletion that takes longer than a rank may wait for another one. */
class LongDeletionsSpec :
    FunSpec({
        quietly()

        test("a save that would make a third deletion pending waits for longer than a call may take") {
            val disk = SimulatedDisk().withParent()
            val gate = HeldFile(dataOf(1), Kind.DELETE)
            val waiting = WaitingRank(gate)
            ranks(waiting.plan) {
                Meter().open(this, gate.inFrontOf(disk.host("node0"))).use {
                    for (step in 1L..4) it.save(step)
                    waiting.during(rank) { it.save(5) }.number shouldBe 5
                }
            }
        }

        test("so does one for which there is no room") {
            val disk = SimulatedDisk().withParent()
            val gate = HeldFile(dataOf(1), Kind.DELETE)
            val waiting = WaitingRank(gate)
            val isFull = { disk.host("node0").exists(dataOf(1)) && disk.host("node0").exists(dataOf(3)) }
            ranks(waiting.plan) {
                Meter().open(this, FullWhile(gate.inFrontOf(disk.host("node0")), isFull)).use {
                    for (step in 1L..3) it.save(step)
                    waiting.during(rank) { it.save(4) }.number shouldBe 4
                }
            }
        }

        test("so does the first save of a program, which deletes what the one before has left") {
            val disk = SimulatedDisk().withParent()
            ranks(2) { Meter().open(this, disk.host("node0")).use { for (step in 1L..2) it.save(step) } }
            val gate = HeldFile(dataOf(1), Kind.DELETE)
            val waiting = WaitingRank(gate)
            ranks(waiting.plan) {
                val options = CheckpointOptions { keepOnlyNewest() }
                Meter().open(this, gate.inFrontOf(disk.host("node0")), options).use {
                    it.restore()?.number shouldBe 2
                    waiting.during(rank) { it.save(3) }.number shouldBe 3
                }
            }
        }

        test("so does the first save after a program that was killed in the middle of one") {
            val disk = SimulatedDisk().withParent()
            val files = disk.host("node0")
            ranks(2) { Meter().open(this, files).use { for (step in 1L..2) it.save(step) } }
            files.delete(DIRECTORY.resolve(SaveNames.directory(2)).resolve(SaveNames.MANIFEST))
            files.create(DIRECTORY.resolve(SaveNames.directory(2)).resolve(SaveNames.NEW_MANIFEST)).close()
            val gate = HeldFile(dataOf(2), Kind.DELETE)
            val waiting = WaitingRank(gate)
            ranks(waiting.plan) {
                Meter().open(this, gate.inFrontOf(files)).use {
                    it.restore()?.number shouldBe 1
                    waiting.during(rank) { it.save(3) }.number shouldBe 3
                }
            }
        }

        test("so does a save that has failed, whose data are deleted") {
            val disk = SimulatedDisk().withParent()
            val gate = HeldFile(dataOf(1), Kind.DELETE)
            val waiting = WaitingRank(gate)
            val refusing =
                object : ForwardingStore(gate.inFrontOf(disk.host("node0"))) {
                    override fun onOperation(operation: BlockStore.Operation) {
                        if (operation.kind() == Kind.FORCE &&
                            operation.path() == dataOf(1)
                        ) {
                            throw IOException("refused")
                        }
                    }
                }
            ranks(waiting.plan) {
                Meter().open(this, refusing).use {
                    waiting.during(rank) { it.trySave(1) }.shouldBeInstanceOf<SaveOutcome.Failed>()
                    it.save(2).number shouldBe 2
                }
            }
        }

        test("so does a restore") {
            val disk = SimulatedDisk().withParent()
            val gate = HeldFile(dataOf(1), Kind.DELETE)
            val waiting = WaitingRank(gate)
            ranks(waiting.plan) {
                Meter().open(this, gate.inFrontOf(disk.host("node0"))).use {
                    for (step in 1L..3) it.save(step)
                    waiting.during(rank) { it.restore() }?.number shouldBe 3
                }
            }
        }
    })
