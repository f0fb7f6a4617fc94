package dev.cairn.multifile

import dev.cairn.event.RankFailedException
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunReport.Outcome
import dev.cairn.ranks.attemptRanks
import dev.cairn.ranks.ranks
import dev.cairn.sion.Content
import dev.cairn.sion.FileMapping
import dev.cairn.sion.GlobalView
import dev.cairn.sion.Grouping
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.failure.SionException
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.ByteBuffer
import java.nio.file.Path

/** The bugs of SIONlib 1.7.6 that take ranks, by the numbers of sionlib-tests.md in sion-format; the others are in BugListSpec. */
class RankBugListSpec :
    FunSpec({
        val spec = MultifileSpec.parallel(Path.of("bugs.sion")).withBlockSize(512)

        for (rankCount in listOf(1, 4, 6)) {
            test("B6: 5 tasks of a single file are refused to $rankCount ranks that want one each, on all of them") {
                val disk = SimulatedDisk()
                ranks(5) { writeMultifile(spec, 100, disk.host("node0")) { it.write(bytes(10, rank)) } }
                val messages = messagesOf(rankCount) { readTask(spec.path(), disk.host("node0")) { } }
                messages.single() shouldContain "it has 5 tasks, but $rankCount ranks request one each."
            }
        }

        for ((name, grouping) in listOf("kept" to Grouping.ofExactly(4), "merged" to Grouping.ofExactly(4).merged())) {
            for (tooLarge in listOf(0, 2, 5)) {
                test("B10: when rank $tooLarge of $name groups writes more than its chunk, all ranks throw") {
                    val disk = SimulatedDisk()
                    val messages =
                        messagesOf(6) {
                            writeMultifile(spec.withGrouping(grouping), 512, disk.host("node0")) { chunks ->
                                chunks.write(bytes(100, rank))
                                chunks.write(bytes(if (rank == tooLarge) 5000 else 100, rank))
                            }
                        }
                    messages.single() shouldContain "rank $tooLarge on host0 failed"
                    messages.single() shouldContain "wants 5000 bytes in one piece"
                    shouldThrow<SionException.NeverClosed> { Multifile.open(disk.host("node0"), spec.path()) }
                }
            }
        }

        for ((fileCount, levels) in listOf(1 to 1, 4 to 2)) {
            test("B15: $levels levels of buddies in $fileCount files are refused on all ranks") {
                val disk = SimulatedDisk()
                val buddies = spec.withMapping(FileMapping.contiguous(fileCount)).withBuddyLevels(levels)
                val messages = messagesOf(4) { writeMultifile(buddies, 512, disk.host("node0")) { } }
                messages.single() shouldContain "not $fileCount: choose another number of files."
                disk.host("node0").exists(spec.path()) shouldBe false
            }
        }

        test("B15: the copies of many files are as many groups to read") {
            val disk = SimulatedDisk()
            val buddies = spec.withMapping(FileMapping.contiguous(13)).withBuddyLevels(2).withContent(Content.RECORDS)
            ranks(RankPlan(26, Schedule.Deterministic(15))) {
                writeRecords(buddies, 100, disk.host("node0")) { it.put(7, bytes(10 * rank, rank)) }
            }
            for (path in listOf(spec.path(), spec.path().resolveSibling("bugs.sion_BUDDY_01"))) {
                ranks(26) {
                    readMultifile(
                        path,
                        disk.host("node0"),
                    ) { view -> view.valueOf(rank) shouldBe bytes(10 * rank, rank) }
                }
            }
        }
    })

private fun GlobalView.valueOf(task: Int): ByteBuffer {
    val records = task(task).records()
    val value = ByteBuffer.allocate(records.size(7).toInt())
    records.read(7, 0, value)
    return value.flip()
}

/** What the ranks throw, which must be the same on all. */
private suspend fun messagesOf(rankCount: Int, program: suspend Communicator.() -> Unit): Set<String> =
    attemptRanks(RankPlan(rankCount), program)
        .outcomes
        .map {
            it
                .shouldBeInstanceOf<Outcome.Threw>()
                .failure
                .shouldBeInstanceOf<RankFailedException>()
                .message
                .orEmpty()
        }.toSet()

private fun bytes(size: Int, seed: Int): ByteBuffer = ByteBuffer.wrap(ByteArray(size) { (it * 7 + seed * 13).toByte() })
