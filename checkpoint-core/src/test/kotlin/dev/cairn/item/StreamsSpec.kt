package dev.cairn.item

import dev.cairn.Checkpoints
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.RankFailedException
import dev.cairn.event.shouldBeFor
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.ranks
import dev.cairn.ranks.runRanks
import dev.cairn.sion.Multifile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.ElementType
import dev.cairn.state.StreamRule
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.IOException
import java.io.InputStream
import java.io.OutputStream
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.CountDownLatch
import kotlin.concurrent.thread
import kotlin.io.path.readBytes
import kotlin.random.Random

private const val FRAME = 1 shl 20

/** What a rank writes: no two places of it look alike. */
private fun content(rank: Int, size: Int) = Random(rank).nextBytes(size)

private val STREAM_CELLS = Shape.of(50)

/** A stream between a value and a field, so that what stands behind it must be found, too. */
private class Logbook(var bytes: ByteArray = ByteArray(0)) {
    var step = 0
    var cells = LongArray(0)
    val dealt = mutableListOf<ByteArray>()

    suspend fun open(
        ranks: Communicator,
        files: BlockStore,
        directory: Path = Path.of("log"),
        rule: StreamRule = StreamRule.Refuse,
    ): Checkpoints {
        val box = Decomposition.rows(STREAM_CELLS, ranks.size).boxes(ranks.rank).firstOrNull()
        if (cells.isEmpty() && box != null) cells = LongArray(box.cellCount().toInt()) { box.start(0) + it }
        return ranks.checkpoints(directory, CheckpointOptions { blockSize = 512 }, files) {
            replicated("step", { step }, { step = it })
            stream("log", { it.write(bytes) }, { bytes = it.readAllBytes() }, rule)
            field("cells", STREAM_CELLS, ElementType.LONG) { if (box != null) block(box, cells) }
        }
    }

    fun dealing(): StreamRule = StreamRule.Deal { streams -> streams.forEach { dealt += it.readAllBytes() } }
}

class StreamsSpec :
    FunSpec({
        test("streams of any sizes come back on as many ranks, and are dealt in order to others") {
            withRandom { random ->
                repeat(25) {
                    val sizes =
                        List(random.nextInt(1, 9)) {
                            val isLarge = random.nextInt(5) == 0
                            if (isLarge) FRAME + random.nextInt(-1, 2) else random.nextInt(3) * random.nextInt(9000)
                        }
                    val readers = random.nextInt(1, 9)
                    withClue("streams of $sizes bytes on $readers ranks") {
                        val disk = SimulatedDisk()
                        runRanks(RankPlan(sizes.size)) {
                            Logbook(content(rank, sizes[rank])).open(this, disk.host(host)).use { it.save(1) }
                        }
                        val dealt =
                            runRanks(RankPlan(readers)) {
                                val log = Logbook()
                                log.open(this, disk.host(host), rule = log.dealing()).use { it.restore() }
                                if (readers == sizes.size) listOf(log.bytes) else log.dealt
                            }
                        val contents = sizes.mapIndexed { rank, size -> content(rank, size).toList() }
                        dealt.flatten().map { it.toList() } shouldBe contents
                        dealt.mapIndexed { rank, share -> share.size to rank } shouldBe
                            List(readers) { (sizes.size * (it + 1) / readers - sizes.size * it / readers) to it }
                    }
                }
            }
        }

        test("a stream a hundred times larger than the others grows chunk after chunk") {
            val directory = tempdir().toPath()
            val files = FileBlockStore()
            val sizes = listOf(40_000, 40_000, 4_000_000, 40_000)
            ranks(4) {
                Logbook(content(rank, sizes[rank])).open(this, files, directory).use { it.save(1) }
            }
            Multifile.open(files, directory.resolve("000001/data.sion")).use { view ->
                view.task(2).blockCount() shouldBeGreaterThanOrEqual 3
                view.task(1).blockCount() shouldBe 1
                view.task(2).records().recordCount(2) shouldBe 4
                view.task(2).records().size(2) shouldBe 4_000_000
            }
            ranks(4) {
                val log = Logbook().apply { step = 9 }
                log.open(this, files, directory).use { it.restore() }
                check(log.bytes.contentEquals(content(rank, sizes[rank])))
                log.step shouldBe 0
                log.cells.toList() shouldBe
                    Decomposition.rows(STREAM_CELLS, 4).boxes(rank).single().let { box ->
                        (box.start(0) until box.end(0)).toList()
                    }
            }
        }

        test("without a rule another number of ranks is refused; with Drop the streams are not read") {
            val disk = SimulatedDisk()
            ranks(3) { Logbook(content(rank, 10)).open(this, disk.host(host)).use { it.save(1) } }
            ranks(2) {
                shouldThrow<CheckpointException> { Logbook().open(this, disk.host(host)).use { it.restore() } }
                    .cause!!
                    .message shouldBe
                    "'log' is a stream of each rank, was saved by 3 ranks and has no rule for 2. Declare it with " +
                    "StreamRule.Deal or StreamRule.Drop, or restart on 3 ranks."
                val log = Logbook(byteArrayOf(7))
                log.open(this, disk.host(host), rule = StreamRule.Drop).use { it.restore() }
                log.bytes.toList() shouldBe listOf<Byte>(7)
            }
        }

        test("a program that swallows the failure of a write is not told that it was saved") {
            val full = FullDisk(SimulatedDisk().host("host0"))
            ranks(1) {
                val open =
                    checkpoints(Path.of("full"), files = full) {
                        stream("log", { target ->
                            repeat(4) { runCatching { target.write(content(it, FRAME)) } }
                        }, {})
                    }
                open.use { checkpoints ->
                    full.isFull = true
                    shouldThrow<RankFailedException> { checkpoints.save(1) }.message shouldContain "the disk is full"
                    full.isFull = false
                    checkpoints.save(2).number shouldBe 2
                }
            }
        }

        test("a stream that is kept beyond the function that fills it takes no more bytes") {
            val kept = mutableListOf<OutputStream>()
            val disk = SimulatedDisk().host("host")
            ranks(1) {
                val open =
                    checkpoints(Path.of("kept"), files = disk) {
                        stream("log", { kept += it.apply { write(1) } }, { it.readAllBytes().size shouldBe 1 })
                    }
                open.use {
                    it.save(1)
                    val late =
                        "the stream 'log' has ended, because the function that writes it has returned. These bytes " +
                            "are in no checkpoint: write all of them before that function " +
                            "returns."
                    shouldThrow<IOException> { kept.single().write(7) }.message shouldBe late
                    shouldThrow<IOException> { kept.single().write(ByteArray(7)) }.message shouldBe late
                    it.save(2)
                    shouldThrow<IOException> { kept.first().write(7) }.message shouldBe late
                    it.restore()?.number shouldBe 2
                }
            }
        }

        test("what one thread writes while the stream ends is saved or fails, and never gets among other items") {
            val disk = SimulatedDisk().host("host")
            ranks(1) {
                var accepted = 0
                var writer: Thread? = null
                val began = CountDownLatch(1)
                val open =
                    checkpoints(Path.of("raced"), files = disk) {
                        stream(
                            "log",
                            { target ->
                                writer = thread { accepted = writeUntilRefused(target, began) }
                                began.await()
                            },
                            { source -> source.readAllBytes().toList() shouldBe List<Byte>(accepted) { 7 } },
                        )
                        perRank("cells", { LongArray(1000) }, { it.toList() shouldBe List(1000) { 0L } })
                    }
                open.use {
                    it.save(1)
                    writer?.join()
                    it.restore()?.number shouldBe 1
                }
            }
        }

        test("bytes that a program leaves in a stream are refused, on the same number of ranks") {
            val disk = SimulatedDisk()
            ranks(2) { Logbook(content(rank, 5000 * rank)).open(this, disk.host(host)).use { it.save(1) } }
            ranks(2) {
                val failure =
                    shouldThrow<CheckpointException.Mismatch> {
                        reading(disk.host(host)) { it.read() }.use { it.restore() }
                    }
                failure.items shouldBe listOf("log")
                failure.message shouldBe
                    "the stream 'log' should be read to its end, but the program left 4999 of the 5000 bytes of rank " +
                    "1. That state would be lost: read all of it, or skip the bytes that the program no longer " +
                    "needs."
            }
        }

        test("a stream that a program does not read when it deals them is refused") {
            val disk = SimulatedDisk()
            ranks(3) { Logbook(content(rank, 50)).open(this, disk.host(host)).use { it.save(1) } }
            ranks(1) {
                val first = StreamRule.Deal { it.first().readAllBytes() }
                shouldThrow<CheckpointException.Mismatch> {
                    Logbook().open(this, disk.host(host), rule = first).use { it.restore() }
                }.message shouldContain
                    "the stream 'log' should be read to its end, but the program left 50 of the 50 bytes of rank 1, " +
                    "and bytes of 1 more stream."
            }
        }

        test("bytes that a program skips count as read, and no bytes are left of an empty stream") {
            val disk = SimulatedDisk()
            ranks(2) { Logbook(content(rank, rank * (FRAME + 50))).open(this, disk.host(host)).use { it.save(1) } }
            ranks(2) {
                reading(disk.host(host)) { if (rank == 1) it.skipNBytes(FRAME + 50L) }.use { it.restore() }
                reading(disk.host(host)) { it.skip(Long.MAX_VALUE) }.use { it.restore() }?.number shouldBe 1
            }
        }

        test("one call reads as many bytes as are wanted, also beyond a frame") {
            val disk = SimulatedDisk()
            val all = content(3, 2 * FRAME + 10)
            ranks(1) { Logbook(all).open(this, disk.host(host)).use { it.save(1) } }
            ranks(1) {
                reading(disk.host(host)) { source ->
                    val bytes = ByteArray(all.size + 5)
                    source.read(bytes, 2, all.size + 3) shouldBe all.size
                    bytes.copyOfRange(2, 2 + all.size).contentEquals(all) shouldBe true
                    source.read(bytes, 0, 1) shouldBe -1
                }.use { it.restore() }
            }
        }

        test("damage is found, whether the program swallows it or does not read that far") {
            suspend fun Communicator.open(directory: Path, read: (InputStream) -> Unit) =
                checkpoints(directory) { stream("log", { it.write(content(5, 3 * FRAME)) }, read) }
            val readings =
                listOf<(InputStream) -> Unit>(
                    { it.read() },
                    { runCatching { it.readAllBytes() } },
                    { source -> runCatching { source.readAllBytes() }.onFailure { error("the log is unreadable") } },
                )
            for (read in readings) {
                val directory = tempdir().toPath()
                ranks(1) { open(directory) {}.use { it.save(1) } }
                damageLastFrame(directory.resolve("000001/data.sion"))
                ranks(1) {
                    val failure = shouldThrow<CheckpointException> { open(directory, read).use { it.restore() } }
                    failure.cause
                        .shouldBeFor<CheckpointException.Damaged>(Reason.NONE_GOOD)
                        .flaws
                        .single() shouldContain
                        "frame 2 of 'log' should have the CRC32C"
                }
            }
        }

        for (rankCount in listOf(3, 2)) {
            test("on $rankCount ranks a program that adds what it reads gets no byte of a save with damage elsewhere") {
                val directory = tempdir().toPath()
                ranks(3) {
                    addingTo(StringBuilder(), directory, step = 1).use { it.save(1) }
                    addingTo(StringBuilder(), directory, step = 2).use {
                        it.restore()
                        it.save(2)
                    }
                }
                damageCell(directory.resolve("000002/data.sion"), LAST_CELL)
                val read = List(rankCount) { StringBuilder() }
                ranks(rankCount) {
                    addingTo(read[rank], directory, step = 0).use { it.restore()?.number } shouldBe 1
                }
                read.joinToString("") shouldBe "0 of 1;1 of 1;2 of 1;"
            }
        }
    })

private const val LAST_CELL = 1e9 + 2

/** A stream in front of a field whose last cell is [LAST_CELL]; what is read of the stream is added to [read]. */
private suspend fun Communicator.addingTo(read: StringBuilder, directory: Path, step: Int): Checkpoints {
    val add = { source: InputStream -> read.append(source.readAllBytes().decodeToString()) }
    val cells = Shape.of(3)
    val boxes = Decomposition.rows(cells, size).boxes(rank)
    val arrays = boxes.map { box -> DoubleArray(box.cellCount().toInt()) { 1e9 + box.start(0) + it } }
    return checkpoints(directory) {
        stream(
            "log",
            { it.write("$rank of $step;".encodeToByteArray()) },
            { add(it) },
            StreamRule.Deal { streams -> streams.forEach { add(it) } },
        )
        field("u", cells, ElementType.DOUBLE) {
            boxes.zip(arrays).forEach { (box, array) -> block(box, array) }
        }
    }
}

private fun damageCell(file: Path, value: Double) {
    val bytes = ByteBuffer.wrap(file.readBytes()).order(LITTLE_ENDIAN)
    val at = (0..bytes.capacity() - Double.SIZE_BYTES).single { bytes.getDouble(it) == value }
    bytes.put(at, (bytes.get(at) + 1).toByte())
    Files.write(file, bytes.array())
}

/** As a [Logbook], which takes the stream with [read]. */
private suspend fun Communicator.reading(files: BlockStore, read: (InputStream) -> Unit): Checkpoints =
    checkpoints(Path.of("log"), CheckpointOptions { blockSize = 512 }, files) {
        removed("step")
        removed("cells")
        stream("log", { }, read)
    }

/** Writes until that fails, and returns how many bytes were taken. */
private fun writeUntilRefused(target: OutputStream, began: CountDownLatch): Int {
    var count = 0
    while (true) {
        try {
            target.write(7)
        } catch (_: IOException) {
            return count
        }
        if (++count == 1000) began.countDown()
    }
}

private class FullDisk(files: BlockStore) : ForwardingStore(files) {
    var isFull = false

    override fun onOperation(operation: BlockStore.Operation) {
        val isLarge = operation.kind() == BlockStore.Operation.Kind.WRITE && operation.length() > 8192
        if (isFull && isLarge) throw IOException("the disk is full")
    }
}

/** Changes a byte near the end of the 3 MiB of the stream. */
private fun damageLastFrame(file: Path) {
    val bytes = file.readBytes()
    val wanted = content(5, 3 * FRAME).copyOfRange(3 * FRAME - 64, 3 * FRAME)
    val at = (0..bytes.size - 64).first { start -> wanted.indices.all { bytes[start + it] == wanted[it] } }
    bytes[at] = (bytes[at] + 1).toByte()
    Files.write(file, bytes)
}
