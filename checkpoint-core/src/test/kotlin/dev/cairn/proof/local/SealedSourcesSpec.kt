package dev.cairn.proof.local

import dev.cairn.checkpoint.checkpointStore
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.RankFailedException
import dev.cairn.event.SaveOutcome
import dev.cairn.event.shouldBeFor
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.LostLocal
import dev.cairn.options.Wait
import dev.cairn.proof.log.loggedBy
import dev.cairn.proof.state.Known
import dev.cairn.proof.state.restoreKnown
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.collectively
import dev.cairn.ranks.ranks
import dev.cairn.reading.verify
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.store.DIRECTORY
import dev.cairn.store.SaveNames
import dev.cairn.store.writeNew
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.io.IOException

/** A restart takes each part of a sealed save from where it is whole: the shared store, its host, or another host with a copy. */
class SealedSourcesSpec :
    FunSpec({
        test("a lost host is not needed if its part was drained before") {
            val disks = HostDisks()
            leaveSealed(disks, 1)
            disks.drainPart("node1")
            disks.lose("node1")
            val lines = loggedBy { disks.restart() shouldBe 2 }
            lines.single { "brought together and committed" in it } shouldBe
                "INFO: $DIRECTORY: save 2, step 2, was brought together and committed: data.sion from node0; " +
                "data.sion.000001 had been drained before; data.sion.000002 from node2"
            disks.requireWhole()
        }

        test(
            "a start on one host goes on if all parts that it lacks were drained before, also without the setting local",
        ) {
            for (options in listOf(LOCALLY, CheckpointOptions())) {
                val disks = HostDisks()
                leaveSealed(disks, 1)
                hosts.forEach { disks.drainPart(it) }
                ranks(RankPlan(2, hosts = { "elsewhere" })) {
                    restoreKnown(Known.SMALL, disks.door(host), options = options)?.step
                }.distinct() shouldBe listOf(2L)
                disks.requireWhole()
            }
        }

        test("a part that is damaged in the shared store is drained again") {
            val disks = HostDisks()
            leaveSealed(disks, 1)
            disks.door("node1").damage(disks.drainPart("node1"))
            val lines = loggedBy { disks.restart() shouldBe 2 }
            lines.single { it.startsWith("WARNING") } shouldContain
                "of its hosts; data.sion.000001 from the shared store is passed over: " +
                "$DIRECTORY/000002/data.sion.000001: "
            disks.requireWhole()
        }

        test("a part that is damaged on its host is taken from a copy") {
            val disks = HostDisks()
            leaveSealed(disks, 1)
            disks.copyPart(from = "node1", to = "node2")
            disks.door("node1").damage(disks.partOf("node1"))
            val lines = loggedBy { disks.restart() shouldBe 2 }
            lines.single { it.startsWith("WARNING") } shouldContain
                "; data.sion.000001 from node1 is passed over: /scratch/saves/cairn-"
            lines.single { "and committed" in it } shouldContain "data.sion.000001, data.sion.000002 from node2"
            disks.requireWhole()
            hosts.flatMap { disks.door(it).localPaths() }.shouldBeEmpty()
        }

        test("a part that its host cannot read is taken from a copy") {
            val disks = HostDisks()
            leaveSealed(disks, 1)
            disks.copyPart(from = "node1", to = "node0")
            val lines =
                loggedBy {
                    disks.restart {
                        if (it ==
                            "node1"
                        ) {
                            Unreadable(disks.door(it))
                        } else {
                            disks.door(it)
                        }
                    } shouldBe
                        2
                }
            lines.single { it.startsWith("WARNING") } shouldContain "it cannot be read now: a bad sector"
            disks.requireWhole()
        }

        test("a save is not given up for a part that cannot be read now, and a later restart completes it") {
            for (setting in LostLocal.entries) {
                val disks = HostDisks()
                leaveSealed(disks, 1)
                val options = CheckpointOptions(LOCALLY) { lostLocal = setting }
                shouldThrow<RunFailedException> {
                    disks.restart(options) { if (it == "node1") Unreadable(disks.door(it)) else disks.door(it) }
                }.cause.shouldBeInstanceOf<CheckpointException.Unreadable>().message shouldContain
                    Regex(
                        "is on the disks of its hosts, but data.sion.000001 on node1 below \\S+ cannot be had from " +
                            "there: .* it cannot be read now: a bad sector. It may be good: make it readable, and " +
                            "start again. To give the save up for good, start with the setting lost-local = go-on " +
                            "and without ranks on these hosts: ",
                    )
                disks.restart(options) shouldBe 2
                disks.requireWhole()
            }
        }

        test("if no source of a part is whole, the start is refused and names all of its places") {
            val disks = HostDisks()
            leaveSealed(disks, 1)
            disks.copyPart(from = "node1", to = "node2")
            disks.door("node1").damage(disks.partOf("node1"))
            val copy = disks.partOf("node2").resolveSibling("data.sion.000001")
            disks.door("node2").damage(copy)
            disks.refusal() shouldContain
                Regex(
                    "is on the disks of its hosts, but data.sion.000001 on node1 below \\S+ or on node2 " +
                        "below \\S+ cannot be had from there: $copy: .* To give the save up for good",
                )
            // The other parts were drained, and their hosts are not needed any more.
            disks.lose("node2")
            disks.lose("node0")
            disks.refusal() shouldContain
                Regex(
                    "the disks of its hosts, but no rank finds data.sion.000001 on node2 below \\S+, complete, and " +
                        "another copy of data.sion.000001 is of no use: ${disks.partOf("node1")}: .*\\. Start ranks on",
                )
        }

        test("a part that is damaged in the shared store is looked for on its host, which the message names") {
            val disks = HostDisks()
            leaveSealed(disks, 1)
            hosts.forEach { disks.drainPart(it) }
            val drained = DIRECTORY.resolve("000002").resolve("data.sion.000001")
            disks.door("node1").damage(drained)
            val kept = disks.ownDisk("node1")
            disks.lose("node1")
            val flaw = "another copy of data.sion.000001 is of no use: $drained: frame 0 of 'u' of rank 1 should"
            val advice =
                "Start ranks on these hosts, with the same setting local as then. To give the save up for good, " +
                    "start with the setting lost-local = go-on: then a restart"
            disks.refusal() shouldContain
                Regex(
                    "save 2, step 2, is on the disks of its hosts, but no rank finds data.sion.000001 on node1 below " +
                        "/scratch/saves/\\S+, complete, and $flaw.*\\. ${Regex.escape(advice)}",
                )
            disks.giveBack("node1", kept)
            disks.refusal(CheckpointOptions()) shouldContain
                Regex(
                    "its hosts, but the setting local is missing, so that no rank looks for data.sion.000001 on " +
                        "node1 below /scratch/saves/\\S+, and $flaw.*\\. ${Regex.escape(advice)}",
                )
            disks.restart() shouldBe 2
            disks.requireWhole()
        }

        test("a note of places that is damaged in a checksum shows that the file is good, which is taken") {
            val disks = HostDisks()
            leaveSealed(disks, 1)
            val good = disks.placesOf().single { it.host == "node1" }
            disks.rewriteNote { it.replace("%08x".format(good.checksum), "%08x".format(good.checksum + 1)) }
            val lines = loggedBy { disks.restart() shouldBe 2 }
            lines.single { it.startsWith("WARNING") } shouldContain
                "$DIRECTORY/000002: its file 'hosts' is damaged where it gives data.sion.000001 a checksum: "
            disks.requireWhole()
        }

        test("so it is if the file has a copy, to which the note gives another checksum") {
            val disks = HostDisks()
            leaveSealed(disks, 1)
            disks.copyPart(from = "node1", to = "node2")
            val good = "%08x".format(disks.placesOf().first { it.host == "node1" }.checksum)
            disks.rewriteNote { it.replaceFirst(good, "00000000") }
            disks.restart() shouldBe 2
            disks.requireWhole()
        }

        test("a file that is damaged stays so, whatever the note says") {
            val disks = HostDisks()
            leaveSealed(disks, 1)
            val good = disks.placesOf().single { it.host == "node1" }
            disks.rewriteNote { it.replace("%08x".format(good.checksum), "%08x".format(good.checksum + 1)) }
            disks.door("node1").damage(disks.partOf("node1"))
            disks.refusal() shouldContain ", and its file 'hosts' is damaged: its lines should have the CRC32C"
        }

        test("a damaged place in the note does no harm") {
            val disks = HostDisks()
            leaveSealed(disks, 1)
            disks.rewriteNote { it.replace("on node1 below", "on node7 below") }
            disks.restart() shouldBe 2
            disks.requireWhole()
        }

        test("a line of the note that cannot be read is named, and a user can correct it") {
            val disks = HostDisks()
            leaveSealed(disks, 1)
            disks.rewriteNote { it.replace("on node1 below", "an node1 below") }
            disks.refusal() shouldContain
                "but its file 'hosts' should name 3 files, and names 2: correct the line that does not read FILE on " +
                "HOST below DIRECTORY, meta data CHECKSUM, until the last line is the CRC32C of the others. To give"
            disks.rewriteNote { it.replace("an node1 below", "on node1 below") }
            disks.restart() shouldBe 2
        }

        test("a checksum that was changed in the note of an earlier version is named with the file") {
            val disks = HostDisks()
            leaveSealed(disks, 1)
            disks.rewriteNote { it.lines().filter { line -> " on " in line }.joinToString("\n") }
            val part = disks.partOf("node1")
            val good = disks.placesOf().single { it.host == "node1" }
            val other = "%08x".format(good.checksum + 1)
            disks.rewriteNote { it.replace("%08x".format(good.checksum), other) }
            disks.refusal() shouldContain
                Regex(
                    "cannot be had from there: $part: its meta data should have the CRC32C $other, as the file " +
                        "'hosts' of the save says, but have [0-9a-f]{8}: one of the two is damaged. To give",
                )
        }

        val seal = DIRECTORY.resolve(SaveNames.directory(2)).resolve(SaveNames.SEAL)
        val losses =
            mapOf<String, BlockStore.() -> Unit>(
                "damaged" to { open(seal, Access.READ_WRITE).use { it.resize(100) } },
                "lost" to { delete(seal) },
            )
        for ((loss, lose) in losses) {
            test("a $loss seal is written from a copy of the manifest on a host, and the save completed") {
                val disks = HostDisks()
                leaveSealed(disks, 1)
                disks.door("node0").lose()
                val lines = loggedBy { disks.restart() shouldBe 2 }
                lines.single { it.startsWith("WARNING") } shouldContain
                    Regex(
                        "save 2 is on the disks of its hosts, but its seal cannot be used: $seal: .*\\. It was " +
                            "written from a copy of the manifest on a host",
                    )
                disks.requireWhole()
                hosts.flatMap { disks.door(it).localPaths() }.shouldBeEmpty()
            }

            test("a $loss seal of which no host has a copy stops the start, or is given up if the user says so") {
                val disks = HostDisks()
                leaveSealed(disks, 1)
                disks.door("node0").lose()
                disks.refusal(CheckpointOptions()) shouldContain
                    ", and the setting local is missing, so that no rank looks for a copy of its manifest on a host. "
                disks.deleteManifests()
                disks.refusal() shouldContain
                    ", and no rank finds a copy of its manifest on a host. Start ranks on the hosts that its file " +
                    "'hosts' names, with the same setting local as then. To give the save up for good"
                disks.restart(CheckpointOptions(LOCALLY) { lostLocal = LostLocal.GO_ON }) shouldBe 1
            }
        }

        test("a part is taken from a host that has lost its manifest, since the save was sealed") {
            val disks = HostDisks()
            leaveSealed(disks, 1)
            disks.deleteManifests()
            disks.restart() shouldBe 2
            disks.requireWhole()
        }

        test("a lost identity of the store is named, and a start with the former one completes the save") {
            val disks = HostDisks()
            leaveSealed(disks, 1)
            val identity = DIRECTORY.resolve(SaveNames.IDENTITY)
            val former = disks.door("node0").bytes(identity).array()
            disks.door("node0").delete(identity)
            disks.refusal() shouldContain
                Regex(
                    "data.sion.000002 on node2 below /scratch/saves/cairn-\\S+, complete, since ranks look for " +
                        "cairn-[0-9a-f-]{18}, by the file 'identity' of the store. Give it its former content, the " +
                        "18 characters behind 'cairn-'. Start ranks",
                )
            disks.door("node0").delete(identity)
            disks.door("node0").writeNew(identity, former)
            disks.restart() shouldBe 2
            disks.requireWhole()
        }

        test("a shared store that cannot be written is no flaw of a part") {
            val disks = HostDisks()
            leaveSealed(disks, 1)
            shouldThrow<RunFailedException> { disks.restart { NoRoomForData(disks.door(it)) } }
                .cause
                .shouldBeInstanceOf<RankFailedException>()
            disks.restart() shouldBe 2
        }

        test("of two sealed saves the newest is completed, or given up for the other one") {
            for (goOn in listOf(false, true)) {
                val disks = HostDisks()
                leaveSealed(disks, 1)
                sealAnother(disks)
                if (goOn) disks.door("node2").damage(disks.partOf("node2", number = 3))
                if (goOn) {
                    disks.refusal() shouldContain
                        "save 3, step 3, is on the disks of its hosts, but data.sion.000002 on node2"
                }
                val options = if (goOn) CheckpointOptions(LOCALLY) { lostLocal = LostLocal.GO_ON } else LOCALLY
                disks.restart(options) shouldBe if (goOn) 2 else 3
                disks.requireWhole()
                val survey = checkpointStore(disks.door("node0"), DIRECTORY).survey()
                survey.sealed.map { it.number } shouldBe if (goOn) emptyList() else listOf(2)
            }
        }
    })

private suspend fun HostDisks.restart(
    options: CheckpointOptions = LOCALLY,
    door: (String) -> BlockStore = ::door,
): Long? = ranks(plan(3, 1)) { restoreKnown(Known.SMALL, door(host), options = options)?.step }.distinct().single()

private suspend fun HostDisks.refusal(options: CheckpointOptions = LOCALLY): String =
    shouldThrow<RunFailedException> { restart(options) }
        .cause
        .shouldBeFor<CheckpointException.Damaged>(Reason.LOST_ON_HOSTS)
        .message
        .toString()

/** The newest checkpoint is good to the last byte. */
private fun HostDisks.requireWhole() {
    val files = shared.host("elsewhere")
    val store = checkpointStore(files, DIRECTORY)
    files.verify(store.read(store.survey().saves.first())).shouldBeEmpty()
}

/** Save 3 is sealed, too, and goes on from save 1. */
private suspend fun sealAnother(disks: HostDisks) =
    ranks(plan(4, 1)) {
        val files = NoRoomForData(disks.door(host))
        val state = Known.SMALL.toSave(this, files)
        checkpoints(DIRECTORY, CheckpointOptions(LOCALLY) { wait = Wait.LOCAL }, files) { state.declare(this) }.use {
            it.restore(number = 1)
            collectively("go on to step 3") { state.advanceTo(3) }
            it.trySave(3).shouldBeInstanceOf<SaveOutcome.Sealed>()
            shouldThrow<RankFailedException> { it.awaitSaves() }
        }
    }

/** A host whose data files cannot be read. */
private class Unreadable(files: BlockStore) : ForwardingStore(files) {
    override fun onOperation(operation: BlockStore.Operation) {
        val path = operation.path()
        if (operation.kind() == BlockStore.Operation.Kind.READ && path.startsWith(SCRATCH) &&
            SaveNames.isOriginal("${path.fileName}")
        ) {
            throw IOException("a bad sector")
        }
    }
}
