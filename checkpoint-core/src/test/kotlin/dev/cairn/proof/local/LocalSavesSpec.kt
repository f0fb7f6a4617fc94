package dev.cairn.proof.local

import dev.cairn.checkpoint.checkpointStore
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointException
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.node.LocalSaves
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DrainRule
import dev.cairn.options.Wait
import dev.cairn.proof.log.quietly
import dev.cairn.proof.state.Known
import dev.cairn.proof.state.restoreKnown
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.collectively
import dev.cairn.ranks.ranks
import dev.cairn.reading.verify
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.store.DIRECTORY
import dev.cairn.store.SaveNames
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.io.IOException
import java.nio.ByteBuffer

/** Saves that go to the disks of the hosts first: what they leave there, and what reaches the shared store. */
class LocalSavesSpec :
    FunSpec({
        quietly()

        for (known in Known.entries) {
            for (wait in listOf(Wait.COPIED, Wait.LOCAL)) {
                test("a save of the state $known is drained and committed, and needs no host any more: wait = $wait") {
                    for (seed in 1L..10) {
                        withClue("seed $seed") {
                            val disks = HostDisks()
                            ranks(plan(4, seed)) { save(known, disks.door(host), 1L..3, wait) }
                            for (count in 1..4) {
                                val reader = disks.shared.host("elsewhere")
                                ranks(count) { restoreKnown(known, reader)?.step }.distinct() shouldBe listOf(3L)
                            }
                            val store = checkpointStore(disks.shared.host("elsewhere"), DIRECTORY)
                            val saves = store.survey().saves
                            saves
                                .map {
                                    disks.shared
                                        .host(
                                            "elsewhere",
                                        ).verify(store.read(it))
                                }.flatten()
                                .shouldBeEmpty()
                            hosts.flatMap { disks.door(it).localFiles() }.shouldBeEmpty()
                        }
                    }
                }
            }
        }

        test("a drained file is, byte for byte, the one that its host had") {
            for (seed in 1L..10) {
                val disks = HostDisks()
                val ofHosts = mutableMapOf<String, ByteBuffer>()
                ranks(plan(4, seed)) {
                    val files = disks.door(host)
                    save(Known.SMALL, files, 1L..1, Wait.LOCAL) { outcome ->
                        if (outcome is SaveOutcome.Sealed) {
                            hosts.forEach {
                                disks.door(it).localFiles().forEach { (name, bytes) ->
                                    ofHosts[name] = bytes
                                }
                            }
                        }
                    }
                }
                ofHosts.size shouldBe hosts.size
                val shared = disks.shared.host("elsewhere")
                val drained = ofHosts.keys.associateWith { shared.bytes(DIRECTORY.resolve("000001").resolve(it)) }
                drained shouldBe ofHosts
            }
        }

        test("listeners learn of each step") {
            val events = mutableListOf<CheckpointEvent>()
            val disks = HostDisks()
            ranks(plan(4, 1)) {
                save(Known.SMALL, disks.door(host), 1L..1, Wait.COPIED, listener = events::add)
                save(Known.SMALL, disks.door(host), 2L..2, Wait.LOCAL, listener = events::add)
            }
            events.map { it::class.simpleName } shouldBe
                listOf("Started", "Begun", "Copied", "Sealed", "Saved", "Ended") +
                listOf("Started", "Restored", "Begun", "Sealed", "Saved", "Ended")
        }

        test("a commit refuses files that are not what their hosts had") {
            val disks = HostDisks()
            val deaf = hosts.associateWith { if (it == "node1") Unwritten(disks.door(it)) else disks.door(it) }
            val outcomes =
                ranks(plan(3, 1)) {
                    val state = Known.SMALL.toSave(this, deaf.getValue(host))
                    checkpoints(
                        DIRECTORY,
                        CheckpointOptions(LOCALLY) { wait = Wait.LOCAL },
                        deaf.getValue(host),
                    ) { state.declare(this) }.use {
                        collectively("go on to step 1") { state.advanceTo(1) }
                        it.trySave(1)
                        runCatching { it.awaitSaves() }.isFailure shouldBe true
                        it.lastSave
                    }
                }
            outcomes
                .distinct()
                .single()
                .shouldBeInstanceOf<SaveOutcome.Failed>()
                .reason shouldContain
                "data.sion.000001"
            ranks(
                plan(3, 1),
            ) { restoreKnown(Known.SMALL, disks.door(host), options = LOCALLY)?.step }.distinct() shouldBe
                listOf(1L)
        }

        test("the ranks of a process share the open file of their host") {
            val disks = HostDisks()
            val counted = CountedOpens(disks.door("node0"))
            ranks(RankPlan(8, Schedule.Deterministic(1))) { save(Known.SMALL, counted, 1L..1, Wait.LOCAL) }
            // By the ranks that write, for the index, to be completed, and twice to be drained.
            counted.count.get() shouldBe 5
        }

        test("hosts that share the directory of local saves are refused") {
            val disks = HostDisks()
            val oneDisk = disks.door("node0")
            val all =
                ranks(RankPlan(2, Schedule.Deterministic(1), hosts = { hosts[it] })) {
                    runCatching { restoreKnown(Known.SMALL, oneDisk, options = LOCALLY) }.exceptionOrNull()
                }
            all
                .map {
                    it.shouldBeInstanceOf<CheckpointException.InvalidDeclaration>().message
                }.distinct()
                .single() shouldContain
                "the hosts of ranks 0, 1 share it"
        }

        test("what failed saves leave on a host is deleted by the next save") {
            val disks = HostDisks()
            leaveSealed(disks, 1)
            ranks(plan(3, 1)) {
                val files = disks.door(host)
                val state = Known.SMALL.toSave(this, files)
                val options =
                    CheckpointOptions(LOCALLY) {
                        wait = Wait.LOCAL
                        drain = DrainRule.every()
                    }
                checkpoints(DIRECTORY, options, files) { state.declare(this) }.use {
                    it.restore(number = 1)
                    for (step in 2L..5) {
                        collectively("go on to step $step") { state.advanceTo(step) }
                        it.trySave(step)
                    }
                    it.awaitSaves()
                }
            }
            hosts.flatMap { disks.door(it).localFiles() }.shouldBeEmpty()
        }

        test("a save on a host may be deleted by two at once") {
            for (kind in listOf(BlockStore.Operation.Kind.LIST, BlockStore.Operation.Kind.DELETE)) {
                val files = HostDisks().door("node0")
                val other = LocalSaves(files, LOCAL, "one-store").apply { begin(1) }
                files.create(other.file(1, SaveNames.DATA)).close()
                val behindTheOther =
                    object : ForwardingStore(files) {
                        override fun onOperation(operation: BlockStore.Operation) {
                            if (operation.kind() == kind) other.remove(1)
                        }
                    }
                LocalSaves(behindTheOther, LOCAL, "one-store").remove(1)
                files.localPaths().shouldBeEmpty()
            }
        }

        test("a save is committed, although its seal cannot be deleted") {
            val disks = HostDisks()
            val stubborn =
                hosts.associateWith { host ->
                    object : ForwardingStore(disks.door(host)) {
                        override fun onOperation(operation: BlockStore.Operation) {
                            val isSeal = operation.path().endsWith(SaveNames.SEAL)
                            if (isSeal &&
                                operation.kind() == BlockStore.Operation.Kind.DELETE
                            ) {
                                throw IOException("it stays")
                            }
                        }
                    }
                }
            ranks(plan(3, 1)) { save(Known.SMALL, stubborn.getValue(host), 1L..2, Wait.LOCAL) }
            ranks(1) { restoreKnown(Known.SMALL, disks.shared.host("elsewhere"))?.step } shouldBe listOf(2L)
        }

        test("a save stands, although the store cannot be listed after its commit") {
            val disks = HostDisks()
            var isCommitted = false
            val failing =
                hosts.associateWith { host ->
                    object : ForwardingStore(disks.door(host)) {
                        override fun onOperation(operation: BlockStore.Operation) {
                            val path = operation.path()
                            if (operation.kind() == BlockStore.Operation.Kind.RENAME &&
                                path.endsWith(SaveNames.NEW_MANIFEST)
                            ) {
                                isCommitted = true
                            }
                            val isList = operation.kind() == BlockStore.Operation.Kind.LIST && path == DIRECTORY
                            if (isList && isCommitted) throw IOException("it cannot be listed")
                        }
                    }
                }
            ranks(plan(3, 1)) {
                val files = failing.getValue(host)
                val state = Known.SMALL.toSave(this, files)
                checkpoints(DIRECTORY, LOCALLY, files) { state.declare(this) }.use {
                    collectively("go on to step 1") { state.advanceTo(1) }
                    it.save(1).number
                }
            } shouldBe listOf(1, 1, 1)
            ranks(1) { restoreKnown(Known.SMALL, disks.shared.host("elsewhere"))?.step } shouldBe listOf(1L)
        }

        test("save() goes to the shared store at once") {
            val disks = HostDisks()
            ranks(plan(3, 1)) {
                val state = Known.SMALL.toSave(this, disks.door(host))
                checkpoints(
                    DIRECTORY,
                    CheckpointOptions(LOCALLY) {
                        wait = Wait.COPIED
                    },
                    disks.door(host),
                ) { state.declare(this) }.use {
                    state.advanceTo(1)
                    it.save(1)
                }
            }
            hosts.flatMap { disks.door(it).localPaths() }.shouldBeEmpty()
            ranks(1) { restoreKnown(Known.SMALL, disks.shared.host("elsewhere"))?.step } shouldBe listOf(1L)
        }
    })
