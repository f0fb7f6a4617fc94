package dev.cairn.proof.local

import dev.cairn.Checkpoints
import dev.cairn.checkpoints
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.LostLocal
import dev.cairn.options.Wait
import dev.cairn.proof.behind.HeldFile
import dev.cairn.proof.behind.WaitingRank
import dev.cairn.proof.log.quietly
import dev.cairn.proof.state.Known
import dev.cairn.proof.state.restoreKnown
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.collectively
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.store.DIRECTORY
import dev.cairn.store.SaveNames
import dev.cairn.store.writeNew
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.io.IOException
import java.nio.file.Path

/** A host deletes files of saves for longer than a rank may wait for another one, and so does the store for a save that is given up. */
class LongHostDeletionsSpec :
    FunSpec({
        quietly()

        test("the other ranks wait for a host that deletes what a run before has left") {
            val disks = HostDisks()
            ranks(TWO) { opened(disks.door(host)) { saveLocally(it, 1) } }
            disks.leaveOf(save = 1)
            val gate = heldDeletion(save = 1)
            val waiting = WaitingRank(gate, number = 0, hosts::get)
            ranks(waiting.plan) { waiting.during(rank) { opened(gate.inFrontOf(disks.door(host))) {} } }
        }

        test("so they do before a save, for room") {
            val disks = HostDisks()
            val gate = heldDeletion(save = 1)
            val waiting = WaitingRank(gate, number = 0, hosts::get)
            ranks(waiting.plan) {
                opened(gate.inFrontOf(disks.door(host))) {
                    it.save(1)
                    collectively("leave a file") { if (rank == 1) disks.leaveOf(save = 1) }
                    waiting.during(rank) { saveLocally(it, 2) }
                }
            }
        }

        test("so they do after a save that went to the shared store") {
            val disks = HostDisks()
            val gate = heldDeletion(save = 1)
            val waiting = WaitingRank(gate, number = 0, hosts::get)
            ranks(waiting.plan) {
                opened(gate.inFrontOf(disks.door(host))) {
                    it.save(1)
                    collectively("leave a file") { if (rank == 1) disks.leaveOf(save = 1) }
                    waiting.during(rank) {
                        it.save(2)
                        barrier()
                    }
                }
            }
        }

        test("so they do after a save that has failed") {
            val disks = HostDisks()
            val gate = heldDeletion(save = 2)
            val waiting = WaitingRank(gate, number = 0, hosts::get)
            ranks(waiting.plan) {
                opened(gate.inFrontOf(Refusing(disks.door(host), save = 2))) {
                    saveLocally(it, 1)
                    waiting.during(rank) {
                        it.trySave(2).shouldBeInstanceOf<SaveOutcome.Failed>()
                        saveLocally(it, 3)
                    }
                }
            }
        }

        test("so they do in a restart that has completed a save") {
            val disks = HostDisks()
            leaveSealed(disks, 1)
            val gate = heldDeletion(save = 2)
            val waiting = WaitingRank(gate, number = 0, hosts::get)
            hosts.forEach { disks.drainPart(it) }
            ranks(waiting.plan) {
                val files = gate.inFrontOf(disks.door(host))
                waiting.during(rank) { restoreKnown(Known.SMALL, files, options = LOCALLY)?.step } shouldBe 2L
            }
        }

        val goOn = CheckpointOptions(LOCALLY) { lostLocal = LostLocal.GO_ON }
        val drained = DIRECTORY.resolve(SaveNames.directory(2)).resolve("data.sion.000001")
        val damages =
            mapOf<String, HostDisks.() -> Unit>(
                "since a host is lost" to {},
                "since its seal is damaged" to {
                    door("node0").damage(drained.resolveSibling(SaveNames.SEAL))
                    deleteManifests()
                },
                "since its note of places is damaged" to { rewriteNote { "" } },
            )
        for ((reason, damage) in damages) {
            test("so they do while the store deletes a save that is given up, $reason") {
                val disks = HostDisks()
                leaveSealed(disks, 1)
                disks.drainPart("node1")
                disks.damage()
                val gate = HeldFile(drained, Kind.DELETE)
                val waiting = WaitingRank(gate, number = 1, hosts::get)
                ranks(waiting.plan) {
                    val files = gate.inFrontOf(disks.door(host))
                    waiting.during(rank) { restoreKnown(Known.SMALL, files, options = goOn)?.step } shouldBe 1L
                }
            }
        }

        test("so they do while the store deletes the torn copy of an interrupted drain") {
            val disks = HostDisks()
            leaveSealed(disks, 1)
            hosts.forEach { disks.drainPart(it) }
            val torn = drained.resolveSibling("data.sion.000001.00000000-0000-0000-0000-000000000000.part")
            disks.door("node0").writeNew(torn, byteArrayOf(1))
            val gate = HeldFile(torn, Kind.DELETE)
            val waiting = WaitingRank(gate, number = 1, hosts::get)
            ranks(waiting.plan) {
                val files = gate.inFrontOf(disks.door(host))
                waiting.during(rank) { restoreKnown(Known.SMALL, files, options = LOCALLY)?.step } shouldBe 2L
            }
        }
    })

private val TWO = RankPlan(2, hosts = { hosts[it] })

/** The deletion of the file that node1 has of this [save]. */
private fun heldDeletion(save: Int) =
    HeldFile(Kind.DELETE) { it.startsWith(SCRATCH) && it.endsWith("${SaveNames.directory(save)}/data.sion.000001") }

/** A run that was killed has left a file of [save] on node1. */
private fun HostDisks.leaveOf(save: Int) {
    val files = door("node1")
    val ofSave = files.list(LOCAL).single().resolve(SaveNames.directory(save))
    if (!files.exists(ofSave)) files.makeDirectory(ofSave)
    files.writeNew(ofSave.resolve("data.sion.000001"), byteArrayOf(1))
}

private suspend fun Communicator.opened(files: BlockStore, program: suspend Communicator.(Checkpoints) -> Unit) {
    val options = CheckpointOptions(LOCALLY) { wait = Wait.LOCAL }
    checkpoints(DIRECTORY, options, files) { replicated("step", { 1 }, {}) }.use { program(it) }
}

/** Saves [step] to the hosts, and waits until they have drained and deleted it. */
private suspend fun Communicator.saveLocally(checkpoints: Checkpoints, step: Long) {
    checkpoints.trySave(step)
    checkpoints.awaitSaves().shouldBeInstanceOf<Saved>().step shouldBe step
}

/** Refuses to force the data of [save] on node0. */
private class Refusing(files: BlockStore, private val save: Int) : ForwardingStore(files) {
    override fun onOperation(operation: BlockStore.Operation) {
        val path: Path = operation.path()
        val isMeant = path.startsWith(SCRATCH) && path.endsWith("${SaveNames.directory(save)}/data.sion")
        if (isMeant && operation.kind() == Kind.FORCE) throw IOException("refused")
    }
}
