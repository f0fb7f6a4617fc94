package dev.cairn.proof.local

import dev.cairn.checkpoint.checkpointStore
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.RankFailedException
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.event.shouldThrowFor
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DrainRule
import dev.cairn.options.LostLocal
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.collectively
import dev.cairn.ranks.ranks
import dev.cairn.reading.verify
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.DIRECTORY
import dev.cairn.store.Unforced
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.util.concurrent.ConcurrentLinkedQueue

/** A program restores, while it runs, a save that it has sealed itself and that is not drained. */
class RestoreInMidRunSpec :
    FunSpec({
        quietly()
        val undrained = CheckpointOptions(LOCALLY) { drain = DrainRule.none() }

        test("a sealed save that a restore completes is a checkpoint, which no later save replaces") {
            val disks = HostDisks()
            ranks(THREE) {
                saves(disks, HeldDrains().apply { open() }, undrained) { save ->
                    save()
                    restore()
                    repeat(4) { save() }
                }
            }
            disks.checkpoints() shouldBe listOf(1)
        }

        test("a sealed save that a restore completes is committed for the whole program") {
            val disks = HostDisks()
            val events = ConcurrentLinkedQueue<CheckpointEvent>()
            ranks(THREE) {
                val options = CheckpointOptions(undrained) { listener { events += it } }
                saves(disks, HeldDrains().apply { open() }, options) { save ->
                    val first = save()
                    restore()?.number shouldBe 1
                    first.outcome.shouldBeInstanceOf<Saved>().number shouldBe 1
                    lastSave.shouldBeInstanceOf<Saved>().number shouldBe 1
                    first.await().step shouldBe 1
                    wayBack shouldBe "a restart continues from save 1, step 1"
                    repeat(4) { save() }
                    first.outcome.shouldBeInstanceOf<Saved>()
                }
            }
            disks.checkpoints() shouldBe listOf(1)
            events.filterIsInstance<SaveOutcome>().map { it.kind } shouldBe
                listOf("Sealed", "Saved", "Sealed", "Sealed", "Sealed", "Superseded", "Sealed", "Superseded")
        }

        test("so is one that a newer save had superseded, and a restore names") {
            val disks = HostDisks()
            ranks(THREE) {
                saves(disks, HeldDrains().apply { open() }, undrained) { save ->
                    val pending = List(3) { save() }
                    pending.first().outcome.kind shouldBe "Superseded"
                    restore(1).number shouldBe 1
                    pending.map { it.outcome.kind } shouldBe listOf("Saved", "Sealed", "Sealed")
                    repeat(2) { save() }
                    pending.map { it.outcome.kind } shouldBe listOf("Saved", "Superseded", "Superseded")
                }
            }
            disks.checkpoints() shouldBe listOf(1)
        }

        test("so is one whose drain has failed, and the sealed saves before it are superseded") {
            val disks = HostDisks()
            val drains = HeldDrains().apply { open() }
            ranks(THREE) {
                saves(disks, drains, CheckpointOptions(LOCALLY) { drain = DrainRule.every(2) }) { save ->
                    collectively("fill the store") { drains.lackRoom = setOf(2) }
                    val pending = List(2) { save() }
                    shouldThrow<RankFailedException> { awaitSaves() }
                    collectively("make room") { drains.lackRoom = emptySet() }
                    restore()?.number shouldBe 2
                    pending.map { it.outcome.kind } shouldBe listOf("Superseded", "Saved")
                    lastSave.shouldBeInstanceOf<Saved>().number shouldBe 2
                    save()
                    save().await().number shouldBe 4
                    pending.map { it.outcome.kind } shouldBe listOf("Superseded", "Saved")
                }
            }
            disks.checkpoints() shouldBe listOf(4, 2)
            checkpointStore(disks.shared.host("elsewhere"), DIRECTORY).survey().sealed.shouldBeEmpty()
        }

        test("so is one whose drain has failed when the save had its manifest already") {
            val disks = HostDisks()
            val drains =
                object : HeldDrains() {
                    override fun inFrontOf(files: BlockStore) = Unforced(super.inFrontOf(files))
                }
            drains.open()
            ranks(THREE) {
                saves(disks, drains) { save ->
                    val first = save()
                    shouldThrow<RankFailedException> { awaitSaves() }
                    first.outcome.kind shouldBe "Failed"
                    restore()?.number shouldBe 1
                    first.outcome.kind shouldBe "Saved"
                    save().await().number shouldBe 2
                }
            }
            disks.checkpoints() shouldBe listOf(2, 1)
        }

        test("one that a restore gives up has failed, and a restart does not count on it") {
            val disks = HostDisks()
            ranks(THREE) {
                val options = CheckpointOptions(undrained) { lostLocal = LostLocal.GO_ON }
                saves(disks, HeldDrains().apply { open() }, options) { save ->
                    val pending = List(2) { save() }
                    collectively("lose a file of save 2") {
                        val door = disks.door(host)
                        if (rank == 0) door.localPaths().filter { it.parent.endsWith("000002") }.forEach(door::delete)
                    }
                    restore()?.number shouldBe 1
                    pending.map { it.outcome.kind } shouldBe listOf("Saved", "Failed")
                    wayBack shouldBe "a restart continues from save 1, step 1"
                    shouldThrowFor<CheckpointException.Damaged>(Reason.LOST_ON_HOSTS) {
                        pending.last().await()
                    }.message shouldContain "save 2 at step 2 failed: a restore did not find its files"
                    repeat(3) { save() }
                }
            }
            disks.checkpoints() shouldBe listOf(1)
        }
    })

/** The numbers of the committed saves, newest first, all of whose bytes are good. */
private fun HostDisks.checkpoints(): List<Int> {
    val reader = shared.host("elsewhere")
    val store = checkpointStore(reader, DIRECTORY)
    val saves = store.survey().saves
    saves.flatMap { reader.verify(store.read(it)) }.shouldBeEmpty()
    return saves.map { it.number }
}
