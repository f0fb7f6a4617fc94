package dev.cairn.proof.local

import dev.cairn.checkpoint.FramePool
import dev.cairn.checkpoint.checkpointStore
import dev.cairn.checkpoint.checksum
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.shouldBeFor
import dev.cairn.event.shouldThrowFor
import dev.cairn.house.Campaign
import dev.cairn.node.Draining
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.LostLocal
import dev.cairn.proof.log.quietly
import dev.cairn.proof.state.Known
import dev.cairn.proof.state.restoreKnown
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.ranks
import dev.cairn.reading.verify
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.Multifile
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.simulated.CrashOutcome
import dev.cairn.store.DIRECTORY
import dev.cairn.store.SaveNames
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.IOException
import java.nio.ByteBuffer

/** What a restart does with a save that is complete on the disks of its hosts, and not in the shared store. */
class SealedRestartSpec :
    FunSpec({
        quietly()

        test(
            "a save that cannot be drained stays on its hosts, and a restart on any ranks that reach them completes it",
        ) {
            for (seed in 1L..10) {
                withClue("seed $seed") {
                    val disks = HostDisks()
                    leaveSealed(disks, seed)
                    val store = checkpointStore(disks.door("node0"), DIRECTORY)
                    store.survey().newestSealed?.number shouldBe 2
                    // Ranks on the three hosts, in another order and number.
                    val plan = RankPlan(5, Schedule.Deterministic(seed), hosts = { hosts[(it + 1) % 3] })
                    ranks(
                        plan,
                    ) { restoreKnown(Known.SMALL, disks.door(host), options = LOCALLY)?.step }.distinct() shouldBe
                        listOf(2L)
                    hosts.flatMap { disks.door(it).localFiles() }.shouldBeEmpty()
                }
            }
        }

        test("a start that does not reach a host is refused on all ranks, and names the host") {
            val disks = HostDisks()
            leaveSealed(disks, 1)
            val told =
                ranks(RankPlan(2, hosts = { hosts[it] })) {
                    runCatching { restoreKnown(Known.SMALL, disks.door(host), options = LOCALLY) }.exceptionOrNull()
                }.onEach {
                    it.shouldBeFor<CheckpointException.Damaged>(Reason.LOST_ON_HOSTS)
                }.map { it?.message }
                    .distinct()
                    .single()
            told shouldContain "save 2, step 2, is on the disks of its hosts, but no rank finds " +
                "data.sion.000002 on node2 below /scratch/saves/cairn-"
            disks.door("node0").localFiles().shouldNotBeEmpty()
            ranks(
                1,
            ) {
                shouldThrowFor<CheckpointException.Damaged>(
                    Reason.LOST_ON_HOSTS,
                ) { restoreKnown(Known.SMALL, disks.door("node0")) }
            }
        }

        test("a save on a lost host is given up if the user says so, and never comes back") {
            val disks = HostDisks()
            leaveSealed(disks, 1)
            val kept = disks.ownDisk("node2")
            disks.lose("node2")
            val goOn = CheckpointOptions(LOCALLY) { lostLocal = LostLocal.GO_ON }
            ranks(plan(3, 1)) { restoreKnown(Known.SMALL, disks.door(host), options = goOn)?.step }.distinct() shouldBe
                listOf(1L)
            disks.giveBack("node2", kept)
            ranks(
                plan(3, 1),
            ) { restoreKnown(Known.SMALL, disks.door(host), options = LOCALLY)?.step }.distinct() shouldBe
                listOf(1L)
        }

        test("a damaged byte on a host is not drained") {
            var damagedCount = 0
            for (seed in 1L..Campaign.DAMAGED_BYTES.limit(300)) {
                val disks = HostDisks()
                leaveSealed(disks, seed)
                val door = disks.door(hosts[(seed % 3).toInt()])
                val file = door.localPaths().single { SaveNames.isOriginal("${it.fileName}") }
                val size = door.bytes(file).remaining()
                val at = (seed * 7919) % size
                door.open(file, Access.READ_WRITE).use {
                    val byte = ByteBuffer.allocate(1)
                    it.readFully(at, byte)
                    it.write(at, ByteBuffer.allocate(1).put(0, (byte.get(0) + 1).toByte()))
                }
                withClue("seed $seed: byte $at of $file") {
                    val outcome =
                        runCatching {
                            ranks(
                                plan(3, seed),
                            ) { restoreKnown(Known.SMALL, disks.door(host), options = LOCALLY)?.step }
                        }
                    if (outcome.isFailure) {
                        val failure = (outcome.exceptionOrNull() as RunFailedException).cause
                        failure.shouldBeFor<CheckpointException.Damaged>(Reason.LOST_ON_HOSTS).message shouldContain
                            " cannot be had from there: "
                        damagedCount++
                    } else {
                        // The byte lies between the data and belongs to nothing.
                        outcome.getOrThrow().distinct() shouldBe listOf(2L)
                        val store = checkpointStore(disks.door("node0"), DIRECTORY)
                        disks.door("node0").verify(store.read(store.survey().saves.first())).shouldBeEmpty()
                    }
                }
            }
            damagedCount shouldBeGreaterThan 5
        }

        test("a program that wakes up and drains, when another one has committed, does no harm") {
            for (frames in 0..1) {
                val disks = HostDisks()
                leaveSealed(disks, seed = 1)
                val ofSleeper = disks.ownDisk("node1").afterCrash(CrashOutcome.losing(emptySet()))
                ranks(
                    plan(3, 1),
                ) { restoreKnown(Known.SMALL, disks.door(host), options = LOCALLY)?.step }.distinct() shouldBe
                    listOf(2L)
                disks.giveBack("node1", ofSleeper)
                val files = disks.door("node1")
                val store = checkpointStore(files, DIRECTORY)
                val candidate = store.read(store.survey().saves.first())
                val source = files.localPaths().single { SaveNames.isOriginal("${it.fileName}") }
                val view =
                    Multifile.openFile(files, source).use {
                        it.files().single().let { file ->
                            file.metaOneSize() to
                                file.metaTwoStart()
                        }
                    }
                val bytes = files.bytes(source)
                val meta = ByteBuffer.allocate(bytes.remaining())
                meta.put(bytes.slice(0, view.first.toInt())).put(
                    bytes.slice(
                        view.second.toInt(),
                        bytes.remaining() - view.second.toInt(),
                    ),
                )
                val checksum = checksum(meta.flip())
                var left = frames
                val sleeper =
                    Draining(files, source, candidate.manifest, checksum, FramePool(1), ForcePolicy.ON_CLOSE) {
                        if (left-- == 0) throw IOException("the program is killed")
                    }
                runCatching { sleeper.copyTo(candidate.path.resolve(source.fileName)) }.isFailure shouldBe true
                files.verify(candidate).shouldBeEmpty()
                left = Int.MAX_VALUE
                sleeper.copyTo(candidate.path.resolve(source.fileName))
                files.verify(candidate).shouldBeEmpty()
                files.list(candidate.path).filter { SaveNames.isPart("${it.fileName}") }.shouldBeEmpty()
            }
        }

        test("a save without a seal whose note of places is torn was never finished, and goes") {
            val disks = HostDisks()
            leaveSealed(disks, 1)
            disks.door("node0").delete(DIRECTORY.resolve("000002").resolve(SaveNames.SEAL))
            disks.rewriteNote { it.dropLast(30) }
            checkpointStore(disks.door("node0"), DIRECTORY).survey().sealed.shouldBeEmpty()
            restoredFrom(disks) shouldBe 1
            hosts.flatMap { disks.door(it).localPaths() }.shouldBeEmpty()
        }
    })
