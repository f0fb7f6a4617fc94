package dev.cairn.proof.local

import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException
import dev.cairn.event.SaveOutcome
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.FailureGroups
import dev.cairn.options.LocalCopies
import dev.cairn.options.Wait
import dev.cairn.proof.log.quietly
import dev.cairn.proof.state.Known
import dev.cairn.proof.state.restoreKnown
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.collectively
import dev.cairn.ranks.ranks
import dev.cairn.store.DIRECTORY
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf

/** Copies of local files on other hosts, and hosts that are lost. */
class LocalCopiesSpec :
    FunSpec({
        quietly()

        for (known in Known.entries) {
            test("the state $known survives the loss of any host that has a copy elsewhere") {
                for (lost in hosts) {
                    for (wait in listOf(Wait.LOCAL, Wait.COPIED)) {
                        withClue("$lost is lost, wait = $wait") {
                            val disks = HostDisks()
                            leaveSealed(disks, known, CheckpointOptions(COPYING) { this.wait = wait })
                            disks.lose(lost)
                            disks.restoredStep(known, 3) shouldBe 2L
                            hosts.flatMap { disks.door(it).localPaths() }.shouldBeEmpty()
                        }
                    }
                }
            }
        }

        test("two copies survive the loss of two hosts, and the host that is left may do it all") {
            for (left in hosts) {
                val disks = HostDisks()
                leaveSealed(
                    disks,
                    Known.SMALL,
                    CheckpointOptions(LOCALLY) {
                        wait = Wait.LOCAL
                        localCopies = LocalCopies.exactly(2)
                    },
                )
                (hosts - left).forEach(disks::lose)
                ranks(RankPlan(2, Schedule.Deterministic(1), hosts = { left })) {
                    restoreKnown(Known.SMALL, disks.door(host), options = LOCALLY)?.step
                }.distinct() shouldBe listOf(2L)
            }
        }

        test("a copy is, byte for byte, the file of its host, and the note names both places") {
            val disks = HostDisks()
            leaveSealed(disks, Known.SMALL, CheckpointOptions(COPYING) { wait = Wait.LOCAL })
            val files = hosts.flatMap { disks.door(it).localFiles() }.groupBy({ it.first }, { it.second })
            files.keys shouldBe setOf("data.sion", "data.sion.000001", "data.sion.000002")
            files.values.forEach { (one, other) -> one shouldBe other }
            disks.placesOf().map { it.toString().substringBefore(" below") } shouldBe
                listOf(
                    "data.sion on node0",
                    "data.sion on node1",
                    "data.sion.000001 on node1",
                    "data.sion.000001 on node2",
                    "data.sion.000002 on node2",
                    "data.sion.000002 on node0",
                )
        }

        test("copies on hosts that fail together are refused, with what to do") {
            val refused =
                mapOf(
                    CheckpointOptions(COPYING) { localCopies = LocalCopies.exactly(3) } to
                        "3, but 3 copies of each file need 4 hosts, and the ranks have 3. Start on other hosts, or " +
                        "set local-copies to at-most-3.",
                    CheckpointOptions(COPYING) { failureGroups = FailureGroups.matching("node") } to
                        "1, but 1 copy of each file needs 2 hosts that do not fail together, and the 3 hosts are in " +
                        "these failure groups: 3 in 'node'. Start on other hosts, or set local-copies to at-most-1.",
                )
            for ((options, sentence) in refused) {
                val disks = HostDisks()
                ranks(plan(3, 1)) {
                    runCatching { restoreKnown(Known.SMALL, disks.door(host), options = options) }.exceptionOrNull()
                }.map { it.shouldBeInstanceOf<CheckpointException.InvalidDeclaration>().message }.distinct() shouldBe
                    listOf("local-copies is $sentence")
            }
        }

        test("files of several windows are copied whole, also if they are of different sizes") {
            val disks = HostDisks()
            ranks(plan(3, 1)) {
                val state = ByteArray(if (rank == 1) 20_000_000 else 3_000_000) { (it * 31 + rank).toByte() }
                checkpoints(
                    DIRECTORY,
                    CheckpointOptions(COPYING) { wait = Wait.LOCAL },
                    NoRoomForData(disks.door(host)),
                ) {
                    perRank("state", { state }, {})
                }.use {
                    it.trySave(1).shouldBeInstanceOf<SaveOutcome.Sealed>()
                    runCatching { it.awaitSaves() }.isFailure shouldBe true
                }
            }
            disks.lose("node1")
            ranks(plan(3, 1)) {
                var restored = byteArrayOf()
                checkpoints(DIRECTORY, CheckpointOptions(COPYING) { wait = Wait.LOCAL }, disks.door(host)) {
                    perRank("state", { restored }, { restored = it })
                }.use { it.restore() }
                restored.size shouldBe if (rank == 1) 20_000_000 else 3_000_000
                restored.indices.all { restored[it] == (it * 31 + rank).toByte() } shouldBe true
            }
        }
    })

private val COPYING = CheckpointOptions(LOCALLY) { localCopies = LocalCopies.exactly(1) }

private suspend fun HostDisks.restoredStep(known: Known, rankCount: Int): Long? =
    ranks(plan(rankCount, 2)) { restoreKnown(known, door(host), options = LOCALLY)?.step }.distinct().single()

/** Save 1 is committed; save 2 is sealed, and cannot be drained. */
private suspend fun leaveSealed(disks: HostDisks, known: Known, options: CheckpointOptions) {
    ranks(plan(4, 1)) {
        val state = known.toSave(this, disks.door(host))
        checkpoints(DIRECTORY, options, NoRoomForData(disks.door(host), save = 2)) { state.declare(this) }.use {
            for (step in 1L..2) {
                collectively("go on to step $step") { state.advanceTo(step) }
                it.saveAsync(step)
                runCatching { it.awaitSaves() }.isSuccess shouldBe (step == 1L)
            }
            it.lastSave.shouldBeInstanceOf<SaveOutcome.Failed>()
        }
    }
}
