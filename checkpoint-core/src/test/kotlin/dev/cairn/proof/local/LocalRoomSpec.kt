package dev.cairn.proof.local

import dev.cairn.checkpoint.checkpointStore
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DrainRule
import dev.cairn.options.OnFull
import dev.cairn.options.Wait
import dev.cairn.proof.log.quietly
import dev.cairn.proof.state.Known
import dev.cairn.ranks.collectively
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.store.DIRECTORY
import dev.cairn.store.SaveNames
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.io.IOException
import java.util.Collections

/** Hosts that have no room for another save, and disks of hosts that lose bytes. */
class LocalRoomSpec :
    FunSpec({
        quietly()

        test("a save that has no room on a host is skipped, and says which host that is") {
            val disks = HostDisks()
            val drains = HeldDrains()
            ranks(THREE) {
                saves(disks, drains, CheckpointOptions(ONE_SAVE) { onFull = OnFull.SKIP }) { save ->
                    save().outcome.kind shouldBe "Sealed"
                    val skipped = save().outcome.shouldBeInstanceOf<SaveOutcome.Skipped>()
                    skipped.reason shouldContain
                        Regex(
                            "on node\\d: the save needs \\d+ bytes or more, but local-limit is 9000, of which \\d+ bytes are left",
                        )
                    this@ranks.collectively("let drains go on") { drains.open() }
                    awaitSaves()
                    save().await().step shouldBe 3
                }
            }
            disks.restoredStep() shouldBe 3L
        }

        for (wait in listOf(Wait.LOCAL, Wait.COPIED)) {
            test("a save that has no room on a host waits for the drain: wait = $wait") {
                val disks = HostDisks()
                val drains = HeldDrains()
                ranks(THREE) {
                    // Nothing is committed between two meetings, so the first save lies there when the second one begins.
                    val options =
                        CheckpointOptions(ONE_SAVE) {
                            onFull = OnFull.WAIT
                            listener { if (it.isBegunAgain) drains.open() }
                        }
                    saves(disks, drains, options, wait) { save ->
                        save()
                        while (progress() is SaveOutcome.Copied) this@ranks.barrier()
                        save().await().step shouldBe 2
                    }
                }
                disks.restoredStep() shouldBe 2L
            }

            test("a save that has no room on a host goes to the shared store: wait = $wait") {
                val disks = HostDisks()
                val drains = HeldDrains()
                ranks(THREE) {
                    val options =
                        CheckpointOptions(ONE_SAVE) {
                            onFull = OnFull.SHARED
                            listener { if (it.isBegunAgain) drains.open() }
                        }
                    saves(disks, drains, options, wait) { save ->
                        save()
                        while (progress() is SaveOutcome.Copied) this@ranks.barrier()
                        val second = save()
                        if (wait == Wait.LOCAL) second.outcome.shouldBeInstanceOf<Saved>()
                        second.await().step shouldBe 2
                    }
                }
                disks.restoredStep() shouldBe 2L
                hosts.flatMap { disks.door(it).localFiles() }.shouldBeEmpty()
            }
        }

        test("saves that are not drained make room for newer ones, and no save is skipped") {
            for (rule in listOf(DrainRule.none(), DrainRule.every(4))) {
                val disks = HostDisks()
                val outcomes = Collections.synchronizedList(mutableListOf<String>())
                ranks(THREE) {
                    val options =
                        CheckpointOptions(LOCALLY) {
                            localLimit = 15_000
                            drain = rule
                            listener { outcomes += it.kind }
                        }
                    saves(disks, HeldDrains().apply { open() }, options) { save ->
                        repeat(6) { save() }
                        awaitSaves()
                    }
                }
                outcomes shouldNotContain "Skipped"
                disks.restoredStep() shouldBe 6L
            }
        }

        test("hosts keep the files of a save whose seal could not be deleted to make room") {
            val disks = HostDisks()
            val seal = DIRECTORY.resolve("000001").resolve(SaveNames.SEAL)
            val doors =
                disks.watched { if (it.kind() == Kind.DELETE && it.path() == seal) throw IOException("it stays") }
            val options =
                CheckpointOptions(LOCALLY) {
                    localLimit = 15_000
                    localKeep = 5
                    drain = DrainRule.none()
                    onFull = OnFull.SKIP
                }
            ranks(THREE) { saveEach(Known.SMALL, doors.getValue(host), 1L..4, options = options) {} }
            val sealed = checkpointStore(disks.shared.host("elsewhere"), DIRECTORY).survey().sealedNumbers
            sealed shouldContain 1
            for (host in hosts) {
                val kept = disks.door(host).localPaths().map { SaveNames.numberOf("${it.parent.fileName}") }
                kept shouldContainAll sealed
            }
        }

        test("damage on the disk of a host is no end of the run, and reaches no checkpoint") {
            val disks = HostDisks()
            val drains = HeldDrains()
            ranks(THREE) {
                saves(disks, drains) { save ->
                    save().outcome.kind shouldBe "Sealed"
                    this@ranks.collectively("change a byte") {
                        if (rank == 1) disks.door(host).run { damage(localPaths().first { "data" in "$it" }) }
                    }
                    this@ranks.collectively("let drains go on") { drains.open() }
                    while (progress() !is SaveOutcome.Failed) this@ranks.barrier()
                    lastSave.shouldBeInstanceOf<SaveOutcome.Failed>().reason shouldContain
                        "a restart completes the save if it finds a whole copy of this file"
                    save().await().step shouldBe 2
                }
            }
            disks.restoredStep() shouldBe 2L
        }
    })

private val CheckpointEvent.isBegunAgain get() = this is CheckpointEvent.Begun && number == 2

private val ONE_SAVE = CheckpointOptions(LOCALLY) { localLimit = 9000 }
