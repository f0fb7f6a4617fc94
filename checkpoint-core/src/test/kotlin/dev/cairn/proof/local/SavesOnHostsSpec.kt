package dev.cairn.proof.local

import dev.cairn.checkpoint.checkpointStore
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.RankFailedException
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.event.shouldThrowFor
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DrainRule
import dev.cairn.options.WhenBusy
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.collectively
import dev.cairn.ranks.ranks
import dev.cairn.store.DIRECTORY
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import kotlin.time.Duration.Companion.minutes

/** Several saves that lie on the disks of the hosts, while one of them is drained. */
class SavesOnHostsSpec :
    FunSpec({
        quietly()

        test("a program does not wait for a drain, and the newest save is drained next") {
            val disks = HostDisks()
            val drains = HeldDrains()
            ranks(THREE) {
                saves(disks, drains) { save ->
                    val pending = List(4) { save() }
                    pending.map { it.outcome.kind } shouldBe listOf("Sealed", "Superseded", "Superseded", "Sealed")
                    collectively("let drains go on") { drains.open() }
                    awaitSaves().shouldBeInstanceOf<Saved>().number shouldBe 4
                    pending.map { it.outcome.kind } shouldBe listOf("Saved", "Superseded", "Superseded", "Saved")
                    shouldThrowFor<CheckpointException.NotSaved>(
                        Reason.NOT_DRAINED,
                    ) { pending[1].await() }.message shouldBe
                        SUPERSEDED
                }
            }
            disks.restoredStep() shouldBe 4L
            hosts.flatMap { disks.door(it).localFiles() }.shouldBeEmpty()
            checkpointStore(disks.shared.host("elsewhere"), DIRECTORY).survey().sealed.shouldBeEmpty()
        }

        test("hosts that keep one save let the next one wait, or skip it") {
            val disks = HostDisks()
            val drains = HeldDrains()
            ranks(THREE) {
                val options =
                    CheckpointOptions(LOCALLY) {
                        localKeep = 1
                        whenBusy = WhenBusy.SKIP
                    }
                saves(disks, drains, options) { save ->
                    save().outcome.kind shouldBe "Sealed"
                    val skipped = save().outcome.shouldBeInstanceOf<SaveOutcome.Skipped>()
                    skipped.reason shouldBe "save 1, step 1, is still being drained, and when-busy is skip"
                    collectively("let drains go on") { drains.open() }
                    awaitSaves().shouldBeInstanceOf<Saved>().number shouldBe 1
                    save().await().number shouldBe 2
                }
            }
            disks.restoredStep() shouldBe 3L
        }

        test("a drain for which the program waits is not held up by drain-rate").config(timeout = 1.minutes) {
            val disks = HostDisks()
            val options =
                CheckpointOptions(LOCALLY) {
                    drain = DrainRule.every()
                    drainRate = 1
                }
            ranks(THREE) {
                saves(disks, HeldDrains().apply { open() }, options) { save ->
                    List(4) { save() }.map { it.outcome.kind } shouldBe listOf("Saved", "Saved", "Sealed", "Sealed")
                    awaitSaves().shouldBeInstanceOf<Saved>().number shouldBe 4
                }
            }
        }

        test("every save is drained, one after the other") {
            val disks = HostDisks()
            ranks(THREE) {
                saves(
                    disks,
                    HeldDrains().apply { open() },
                    CheckpointOptions(LOCALLY) { drain = DrainRule.every() },
                ) { save ->
                    val pending = List(5) { save() }
                    awaitSaves()
                    pending.map { it.outcome.kind }.distinct() shouldBe listOf("Saved")
                }
            }
            disks.restoredStep() shouldBe 5L
        }

        test("every second save is drained, and a restart finds the one after it on the hosts") {
            val disks = HostDisks()
            ranks(THREE) {
                saves(
                    disks,
                    HeldDrains().apply { open() },
                    CheckpointOptions(LOCALLY) { drain = DrainRule.every(2) },
                ) { save ->
                    val pending = List(5) { save() }
                    awaitSaves()
                    pending.map { it.outcome.kind } shouldBe
                        listOf("Superseded", "Saved", "Superseded", "Saved", "Sealed")
                    shouldThrowFor<CheckpointException.NotSaved>(Reason.NOT_DRAINED) { pending.last().await() }
                }
            }
            disks.restoredStep() shouldBe 5L
        }

        test("a commit deletes on the hosts only the saves that it makes obsolete") {
            val disks = HostDisks()
            val drains = HeldDrains()
            ranks(THREE) {
                saves(disks, drains) { save ->
                    val pending = List(3) { save() }
                    collectively("let one drain go on") { drains.open(1) }
                    while (pending.first().outcome !is Saved) progress()
                    // A host deletes them in the order of their numbers, or later.
                    while (allReduce(if ("000001" in disks.savesOn(host)) 1 else 0, Math::max) > 0) barrier()
                    pending.map { it.outcome.kind } shouldBe listOf("Saved", "Superseded", "Sealed")
                    disks.savesOn(host) shouldBe listOf("000002", "000003")
                    collectively("let drains go on") { drains.open() }
                    awaitSaves()
                }
            }
            disks.restoredStep() shouldBe 3L
        }

        test("a save into the shared store that fails leaves the newest sealed save to its drain") {
            val disks = HostDisks()
            val drains = HeldDrains()
            ranks(THREE) {
                saves(disks, drains) { save ->
                    val pending = List(2) { save() }
                    collectively("let drains go on, and fill the store") {
                        drains.open()
                        drains.lackRoom = setOf(3)
                    }
                    shouldThrow<RankFailedException> { save(3) }
                    lastSave.shouldBeInstanceOf<SaveOutcome.Failed>()
                    pending.last().await().number shouldBe 2
                }
            }
            disks.restoredStep() shouldBe 2L
        }

        test("the handle of a save reports that save, and no other one") {
            val disks = HostDisks()
            val drains = HeldDrains()
            ranks(THREE) {
                saves(disks, drains) { save ->
                    val pending = List(2) { save() }
                    collectively("let drains go on, and fail one") {
                        drains.lackRoom = setOf(1)
                        drains.open()
                    }
                    pending.last().await().number shouldBe 2
                    shouldThrow<RankFailedException> { pending.first().await() }
                }
            }
            disks.restoredStep() shouldBe 2L
        }

        test("without drains the newest saves stay on the hosts, until the program saves into the shared store") {
            val disks = HostDisks()
            ranks(THREE) {
                saves(disks, HeldDrains(), CheckpointOptions(LOCALLY) { drain = DrainRule.none() }) { save ->
                    repeat(4) { save() }
                    progress().shouldBeInstanceOf<SaveOutcome.Sealed>().number shouldBe 4
                    awaitSaves()
                    this@ranks.collectively("look at the disk") {
                        disks
                            .savesOn(host) shouldBe
                            listOf("000002", "000003", "000004")
                    }
                    save(4)
                    this@ranks.collectively("look at the disk") { disks.door(host).localPaths().shouldBeEmpty() }
                }
            }
            disks.restoredStep() shouldBe 4L
        }
    })

private const val SUPERSEDED =
    "save 2, step 2: superseded by save 3, before it was drained. There is no commit to wait for: set drain = every, " +
        "or check the outcome of a save before you await it."

private fun HostDisks.savesOn(host: String): List<String> =
    door(host)
        .localPaths()
        .map { "${it.parent.fileName}" }
        .distinct()
        .sorted()
