package dev.cairn.multifile

import dev.cairn.event.RankFailedException
import dev.cairn.house.Campaign
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunReport
import dev.cairn.ranks.RunReport.Outcome
import dev.cairn.ranks.attemptRanks
import dev.cairn.ranks.ranks
import dev.cairn.sion.BuddyView
import dev.cairn.sion.Content
import dev.cairn.sion.FileMapping
import dev.cairn.sion.Grouping
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.MultifileWriter
import dev.cairn.sion.TaskRequest
import dev.cairn.sion.failure.SionException
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.fixture.bytesOf
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Files
import java.nio.file.Path
import kotlin.random.Random

/** Ranks that share blocks, and the copies of what they write. */
class GroupWritingSpec :
    FunSpec({
        val directory = tempdir().toPath()

        val seed = Campaign.seed
        println("GroupWritingSpec: seed $seed")

        suspend fun shouldWriteAsOneProgram(roundCount: Int, largestChunk: Long) {
            val random = Random(seed)
            repeat(roundCount) { round ->
                val work = Work.random(random, largestChunk)
                val together = SimulatedDisk()
                val schedule = if (round % 2 == 0) Schedule.Fast() else Schedule.Deterministic(seed)
                ranks(RankPlan(work.rankCount, schedule)) {
                    writeMultifile(work.spec, work.chunkSizes[rank], together.host("node0")) { chunks ->
                        work.writes(rank).forEach(chunks::write)
                    }
                }
                val alone = SimulatedDisk()
                MultifileWriter.create(alone.host("node0"), work.spec, work.requests()).use { writer ->
                    for (task in 0 until work.rankCount) work.writes(task).forEach(writer.task(task)::write)
                    writer.finish()
                }
                together.content() shouldBe alone.content()
            }
        }

        test("ranks in groups write what one program writes for all tasks") {
            shouldWriteAsOneProgram(roundCount = 40, largestChunk = 3_000)
        }

        test("ranks in groups with much to bring, and very much, write the same, too") {
            shouldWriteAsOneProgram(roundCount = 8, largestChunk = 600_000)
        }

        test("a rank with more than its collector holds writes to the file itself, and no rank overwrites its bytes") {
            val large = 3 shl 20
            val spec = MultifileSpec.parallel(Path.of("x.sion")).withBlockSize(512).withGrouping(Grouping.ofExactly(5))
            val disk = SimulatedDisk()
            ranks(5) {
                writeMultifile(spec, if (rank == 2) large.toLong() else 100, disk.host("node0")) { chunks ->
                    if (rank == 2) repeat(3) { chunks.write(bytes(large / 3, rank)) } else chunks.write(bytes(50, rank))
                }
            }
            Multifile.open(disk.host("node0"), spec.path()).use { view ->
                for (task in 0 until 5) {
                    val size = if (task == 2) large else 50
                    val found = ByteBuffer.allocate(size)
                    view.read(task, 0, found)
                    val expected = if (task == 2) List(3) { bytes(large / 3, task) } else listOf(bytes(size, task))
                    found.array().toList() shouldBe expected.flatMap { it.array().toList() }
                }
            }
        }

        for (failing in listOf(0, 1, 3)) {
            test("when rank $failing of a group fails, all ranks throw, and the multifile is not closed") {
                val spec = MultifileSpec.parallel(Path.of("x.sion")).withGrouping(Grouping.ofExactly(2))
                val disk = SimulatedDisk()
                val report =
                    attemptRanks(RankPlan(4)) {
                        writeMultifile(spec, 100, disk.host("node0")) { chunks ->
                            chunks.write(bytes(10, rank))
                            if (rank == failing) throw IOException("no more")
                        }
                    }
                report.failures().toSet().single() shouldContain
                    "rank $failing on host0 failed: no more"
                shouldThrow<SionException.NeverClosed> { Multifile.open(disk.host("node0"), spec.path()) }
            }
        }

        test("when a collector cannot write, all ranks throw") {
            val spec = MultifileSpec.parallel(directory.resolve("full.sion")).withGrouping(Grouping.ofExactly(3))
            val report =
                attemptRanks(RankPlan(6)) {
                    writeMultifile(spec, 5000, FullAfterHead(FileBlockStore())) { it.write(bytes(5000, rank)) }
                }
            report
                .failures()
                .toSet()
                .single() shouldContain
                "no room for data"
            shouldThrow<SionException.NeverClosed> { Multifile.open(spec.path()) }
        }

        test("merged groups refuse to keep more than they can, in a sentence") {
            val spec =
                MultifileSpec
                    .parallel(Path.of("x.sion"))
                    .withBlockSize(512)
                    .withGrouping(Grouping.ofExactly(2).merged())
            val disk = SimulatedDisk()
            val report =
                attemptRanks(RankPlan(2)) {
                    writeMultifile(spec, 9L shl 20, disk.host("node0")) { chunks ->
                        repeat(3) { chunks.write(bytes(8 shl 20, rank)) }
                    }
                }
            report.failures().first() shouldContain
                "task 0 has written 16777216 bytes, which are in memory for its group's collector, and now writes " +
                "8388608 more, but a merged task may have at most 16777216 bytes. Group without merging."
        }

        for (levels in 1..3) {
            test("$levels levels of buddies hold what the multifile holds, records and large streams too") {
                val spec =
                    MultifileSpec
                        .parallel(Path.of("x.sion"))
                        .withBlockSize(512)
                        .withMapping(FileMapping.contiguous(5))
                        .withBuddyLevels(levels)
                        .withContent(Content.RECORDS)
                val disk = SimulatedDisk()
                ranks(RankPlan(12, Schedule.Deterministic(7))) {
                    writeRecords(spec, 700, disk.host("node0")) { records ->
                        repeat(rank) { records.put(it.toLong(), bytes(400 * it, rank)) }
                        if (rank == 3) records.put(99, bytes(3 shl 20, rank))
                    }
                }
                val copies = (0 until levels).map { spec.buddyFile(it, 0) }
                for (path in listOf(spec.path()) + copies) {
                    Multifile.open(disk.host("node0"), path).use { view ->
                        view.taskCount() shouldBe 12
                        for (task in 0 until 12) {
                            val records = view.task(task).records()
                            val lengths =
                                (0 until task).map { 400 * it } + listOfNotNull((3 shl 20).takeIf { task == 3 })
                            records.entries().map { it.length().toInt() } shouldBe lengths
                            for (entry in records.entries()) {
                                val value = ByteBuffer.allocate(entry.length().toInt())
                                view.read(task, entry.position(), value)
                                value.flip() shouldBe bytes(entry.length().toInt(), task)
                            }
                        }
                    }
                }
            }
        }

        test("with two levels of buddies, any two of five disks may be lost") {
            val spec =
                MultifileSpec
                    .parallel(directory.resolve("kept.sion"))
                    .withBlockSize(512)
                    .withMapping(FileMapping.contiguous(5))
                    .withBuddyLevels(2)
            for (one in 0 until 5) {
                for (other in 0 until one) {
                    ranks(10) { writeMultifile(spec, 700) { it.write(bytes(600 + rank, rank)) } }
                    for (lost in listOf(one, other)) {
                        Files.delete(spec.file(lost))
                        // The tasks of file p keep the copies of the files behind it.
                        for (level in 0 until 2) Files.delete(spec.buddyFile(level, (lost + level + 1) % 5))
                    }
                    BuddyView.open(spec.path()).use { view ->
                        view.replacements().map { it.fileNumber } shouldBe listOf(other, one)
                        for (task in 0 until 10) {
                            val found = ByteBuffer.allocate(600 + task)
                            view.tasks().read(task, 0, found)
                            found.flip() shouldBe bytes(600 + task, task)
                        }
                    }
                }
            }
        }

        test("when a copy cannot be written, all ranks throw, and nothing is closed") {
            val spec =
                MultifileSpec
                    .parallel(directory.resolve("copied.sion"))
                    .withMapping(FileMapping.contiguous(3))
                    .withBuddyLevels(1)
            val report =
                attemptRanks(RankPlan(6)) {
                    writeMultifile(
                        spec,
                        5000,
                        FullAfterHead(FileBlockStore(), "_BUDDY_"),
                    ) { it.write(bytes(5000, rank)) }
                }
            report
                .failures()
                .toSet()
                .single() shouldContain
                "no room for data"
            shouldThrow<SionException.NeverClosed> { Multifile.open(spec.path()) }
            shouldThrow<SionException.NeverClosed> { Multifile.open(spec.buddyFile(0, 0)) }
        }
    })

/** What each rank threw, in words. */
private fun RunReport<*>.failures() =
    outcomes.map {
        it
            .shouldBeInstanceOf<Outcome.Threw>()
            .failure
            .shouldBeInstanceOf<RankFailedException>()
            .message
            .orEmpty()
    }

/** What some ranks write, and into what. */
private class Work(val spec: MultifileSpec, val chunkSizes: List<Long>, private val sizes: List<List<Int>>) {
    val rankCount get() = chunkSizes.size

    fun writes(task: Int): List<ByteBuffer> = sizes[task].mapIndexed { call, size -> bytes(size, 31 * task + call) }

    fun requests(): List<TaskRequest> = chunkSizes.mapIndexed { task, size -> TaskRequest(task.toLong(), size) }

    companion object {
        fun random(random: Random, largestChunk: Long): Work {
            val rankCount = random.nextInt(1, 30)
            val grouping =
                when (random.nextInt(4)) {
                    0 -> Grouping.few()
                    1 -> Grouping.whereSmall()
                    2 -> Grouping.ofAbout(random.nextInt(1, 10))
                    else -> Grouping.ofExactly(random.nextInt(1, 10))
                }
            val spec =
                MultifileSpec
                    .parallel(Path.of("x.sion"))
                    .withBlockSize(listOf(1, 512, 1000, 4096).random(random))
                    .withMapping(FileMapping.contiguous(random.nextInt(1, minOf(4, rankCount) + 1)))
                    .withGrouping(grouping)
            val chunkSizes = List(rankCount) { random.nextLong(0, largestChunk) }
            val sizes = chunkSizes.map { most -> List(random.nextInt(0, 6)) { random.nextInt(0, most.toInt() + 1) } }
            return Work(spec, chunkSizes, sizes)
        }
    }
}

private fun bytes(size: Int, seed: Int): ByteBuffer =
    ByteBuffer.wrap(ByteArray(size) { (it * 7 + seed * 13 + (it shr 8)).toByte() })

/** All files of a disk, by name. */
private fun SimulatedDisk.content(): Map<String, ByteBuffer> {
    val store = host("node0")
    return store.list(Path.of("")).associate { "$it" to ByteBuffer.wrap(store.bytesOf(it)) }
}

/** A disk on which a file that is called [like] it has room for META1 and no more. */
private class FullAfterHead(files: BlockStore, private val like: String = "") : ForwardingStore(files) {
    override fun onOperation(operation: BlockStore.Operation) {
        val isData = operation.kind() == BlockStore.Operation.Kind.WRITE && operation.position() > 0
        if (isData && like in "${operation.path().fileName}") throw IOException("no room for data")
    }
}
