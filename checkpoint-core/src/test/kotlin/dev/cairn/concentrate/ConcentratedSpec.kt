package dev.cairn.concentrate

import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.house.Campaign
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.MessageTags
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.ranks
import dev.cairn.redistribution.Cells
import dev.cairn.sion.stripe.Striping
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.ByteBuffer
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicIntegerArray
import java.util.concurrent.atomic.AtomicLong
import java.util.concurrent.atomic.AtomicLongArray
import kotlin.random.Random

class ConcentratedSpec :
    FunSpec({
        test("any ranks write arrays, any others read them, through any concentrators") {
            val first = Campaign.seed
            val trials = Campaign.SEEDS.limit(2000)
            println("ConcentratedSpec: $trials seeds from $first")
            for (seed in first until first + trials) {
                withClue("seed $seed") { writeAndRead(seed) }
            }
        }

        test("touching columns of all ranks become one write for each window and sub-file") {
            val layout = Striping.of(4096, 3)
            val columns = Columns(rankCount = 16, rowCount = 1000, runCells = 4)
            val files = MemoryFiles(layout, columns.byteCount)
            ranks(columns.rankCount) { writeConcentrated(columns.set(layout), columns.request(rank), files::write) }
            val rowSize = 4096L * 3
            val windowCount = (columns.byteCount + 2 * rowSize - 1) / (2 * rowSize)
            files.operationCount shouldBe (windowCount * 3).toInt()
        }

        test("thousands of ranks write their columns through eight concentrators") {
            val layout = Striping.of(1 shl 16, 8)
            val columns = Columns(rankCount = 4096, rowCount = 64, runCells = 1)
            val files = MemoryFiles(layout, columns.byteCount)
            val eight = ServedFile(layout, List(8) { it * 512 }, 1L shl 16)
            ranks(columns.rankCount) { writeConcentrated(eight, columns.request(rank), files::write) }
            files.operationCount shouldBe (columns.byteCount shr 16).toInt()
        }

        test(
            "a rank sends a piece for each window that it touches, and one message more, however many extents it has",
        ) {
            val layout = Striping.of(4096, 4)
            val columns = Columns(rankCount = 8, rowCount = 2000, runCells = 1)
            val files = MemoryFiles(layout, columns.byteCount)
            val counts = AtomicIntegerArray(columns.rankCount)
            ranks(apart(columns.rankCount)) {
                val counting =
                    onSend(this) { tag, _ ->
                        if (tag ==
                            MessageTags.WINDOW_PIECE
                        ) {
                            counts.incrementAndGet(rank)
                        }
                    }
                counting.writeConcentrated(columns.set(layout), columns.request(rank), files::write)
            }
            val windowCount = ((columns.byteCount + 4 * 8192 - 1) / (4 * 8192)).toInt()
            for (rank in 0 until columns.rankCount) counts[rank] shouldBeLessThanOrEqual 2 * (windowCount + 1)
        }

        test("a rank sends one message for all slices of a window, and each slice is written at once") {
            val layout = Striping.of(4096, 1)
            val columns = Columns(rankCount = 8, rowCount = 1024, runCells = 1)
            val files = MemoryFiles(layout, columns.byteCount)
            val set = ServedFile(layout, listOf(0), windowDepth = 4 * 4096, sliceDepth = 4096)
            val counts = AtomicIntegerArray(columns.rankCount)
            ranks(apart(columns.rankCount)) {
                val counting =
                    onSend(this) { tag, _ ->
                        if (tag ==
                            MessageTags.WINDOW_PIECE
                        ) {
                            counts.incrementAndGet(rank)
                        }
                    }
                counting.writeConcentrated(set, columns.request(rank), files::write)
            }
            val windowCount = (columns.byteCount / (4 * 4096)).toInt()
            for (rank in 0 until columns.rankCount) counts[rank] shouldBeLessThanOrEqual windowCount + 1
            files.operationCount shouldBe 4 * windowCount
        }

        test("a byte of another process is copied into one message, sent once, and written once") {
            val layout = Striping.of(1 shl 16, 2)
            val columns = Columns(rankCount = 16, rowCount = 64, runCells = 128)
            val files = MemoryFiles(layout, columns.byteCount)
            val copied = AtomicLong()
            val sent = AtomicLong()
            val written = AtomicLong()
            ranks(apart(columns.rankCount)) {
                val request = onCopy(columns.request(rank)) { copied.addAndGet(it) }
                val sending = onSend(this) { tag, bytes -> if (tag == MessageTags.WINDOW_PIECE) sent.addAndGet(bytes) }
                sending.writeConcentrated(columns.set(layout), request, files.onWrite { written.addAndGet(it) })
            }
            copied.get() shouldBe columns.byteCount
            written.get() shouldBe columns.byteCount
            // Two of sixteen ranks are concentrators, which have half of their bytes themselves.
            val ofOthers = columns.byteCount * 15 / 16
            sent.get() shouldBeGreaterThan ofOthers
            sent.get() shouldBeLessThanOrEqual ofOthers * 103 / 100
        }

        test("before a concentrator are the messages of two windows at most, however large the array is") {
            val layout = Striping.of(1 shl 14, 2)
            val columns = Columns(rankCount = 16, rowCount = 1000, runCells = 64)
            val files = MemoryFiles(layout, columns.byteCount)
            val awaited = AwaitedBytes(columns.rankCount)
            ranks(apart(columns.rankCount)) {
                awaited.around(this).writeConcentrated(columns.set(layout), columns.request(rank), files::write)
            }
            val shareOfWindow = 2L shl 14
            val extents = 2 * shareOfWindow / (64 * Long.SIZE_BYTES)
            val heads = 2L * columns.rankCount * HEAD_BYTES
            awaited.most shouldBeLessThanOrEqual
                2 * shareOfWindow + (extents + columns.rankCount) * EXTENT_BYTES + heads
            awaited.most shouldBeGreaterThan shareOfWindow
        }

        test("a concentrator receives a window while the one before is written") {
            val layout = Striping.of(4096, 1)
            val columns = Columns(rankCount = 2, rowCount = 100, runCells = 64)
            val files = MemoryFiles(layout, columns.byteCount)
            // Ranks get the first grant when their pieces of the second window are there.
            val firstGrant = CountDownLatch(1)
            ranks(apart(columns.rankCount)) {
                val sending = onSend(this) { tag, _ -> if (tag == MessageTags.WINDOW_ANSWER) firstGrant.countDown() }
                sending.writeConcentrated(
                    columns.set(layout),
                    columns.request(rank),
                    files.onWrite {
                        check(firstGrant.await(1, TimeUnit.MINUTES)) { "nothing was received during the first write" }
                    },
                )
            }
        }

        test(
            "ranks of the process of a concentrator send it nothing, and each byte is copied once before it is written",
        ) {
            val layout = Striping.of(1 shl 16, 2)
            val columns = Columns(rankCount = 16, rowCount = 64, runCells = 128)
            val files = MemoryFiles(layout, columns.byteCount)
            val copied = AtomicLong()
            val sent = AtomicLong()
            val written = AtomicLong()
            ranks(columns.rankCount) {
                val request = onCopy(columns.request(rank)) { copied.addAndGet(it) }
                val sending = onSend(this) { _, _ -> sent.incrementAndGet() }
                sending.writeConcentrated(columns.set(layout), request, files.onWrite { written.addAndGet(it) })
            }
            copied.get() shouldBe columns.byteCount
            written.get() shouldBe columns.byteCount
            sent.get() shouldBe 0
        }

        test("bytes that are not in memory are read by their own rank alone, which sends them") {
            val layout = Striping.of(4096, 2)
            val columns = Columns(rankCount = 4, rowCount = 64, runCells = 64)
            val files = MemoryFiles(layout, columns.byteCount)
            val sent = AtomicLong()
            ranks(columns.rankCount) {
                val request = if (rank == 0) columns.request(rank) else outsideMemory(columns.request(rank))
                val sending = onSend(this) { tag, bytes -> if (tag == MessageTags.WINDOW_PIECE) sent.addAndGet(bytes) }
                sending.writeConcentrated(columns.set(layout), request, files::write)
            }
            sent.get() shouldBeGreaterThan columns.byteCount * 3 / 4
            sent.get() shouldBeLessThanOrEqual columns.byteCount * 3 / 4 * 105 / 100
        }

        test(
            "overlapping writers: two ranks that write the same byte are refused on all ranks, with both and the byte",
        ) {
            val layout = Striping.of(64, 2)
            val files = MemoryFiles(layout, 800)
            val shape = Shape.of(100)
            for (plan in listOf(RankPlan(4), apart(4))) {
                val failure =
                    shouldThrow<RunFailedException> {
                        ranks(plan) {
                            val own = Decomposition.rows(shape, 4).boxes(rank).single()
                            val box = if (rank == 2) Box.of(longArrayOf(49), longArrayOf(6)) else own
                            writeConcentrated(ServedFile(layout, listOf(1), 128), cells(shape, box), files::write)
                        }
                    }
                failure.message shouldContain "byte 392, and perhaps others, would be written by both ranks 1 and 2"
            }
        }

        test("if no rank has anything to write or read, no sub-file is touched") {
            val files = MemoryFiles(Striping.of(64, 2), 100)
            ranks(3) {
                val set = ServedFile(Striping.of(64, 2), listOf(0, 1), 64)
                writeConcentrated(set, JoinedRequest(emptyList()), files::write)
                readConcentrated(set, JoinedRequest(emptyList()), files::read)
            }
            files.operationCount shouldBe 0
        }

        test("a hole of less than 64 KiB is read over, and a larger one is not") {
            suspend fun readsWithHole(cells: Long): Int {
                val files = MemoryFiles(Striping.of(1 shl 20, 1), 1 shl 20)
                return files.also { it.readEnds(cells) }.operationCount
            }
            readsWithHole(8192) shouldBe 1
            readsWithHole(8193) shouldBe 2
        }
    })

/** Ranks that have no process in common. */
private fun apart(rankCount: Int) = RankPlan(rankCount, hosts = { "node$it" })

private suspend fun writeAndRead(seed: Long) {
    val random = Random(seed)
    val world = StripedWorld(random)
    val files = MemoryFiles(world.layout, world.length)

    val (writers, writing) = drawRanks(world, random, seed)
    val written = world.deal(writers.count)
    ranks(writers) { writeConcentrated(writing, written.valuesOf(world, rank), files::write) }
    files.contents.map { it.asList() } shouldBe world.expected().map { it.asList() }

    val (readers, reading) = drawRanks(world, random, seed + 1)
    val read = world.deal(readers.count)
    ranks(readers) {
        val memories = read.memoriesOf(world, rank)
        readConcentrated(
            reading,
            JoinedRequest(
                memories.map { (array, box, memory) ->
                    array.request(box, memory)
                },
            ),
            files::read,
        )
        for ((array, box, memory) in memories) memory shouldBe array.values(box)
    }
}

private fun drawRanks(world: StripedWorld, random: Random, seed: Long): Pair<RankPlan, ServedFile> {
    val hostCount = random.nextInt(1, 5)
    val plan = RankPlan(random.nextInt(1, 9), Schedule.Deterministic(seed), hosts = { "node${it % hostCount}" })
    return plan to world.set(List(plan.count) { "node${it % hostCount}" })
}

private fun List<List<List<Box>>>.memoriesOf(world: StripedWorld, rank: Int) =
    zip(world.arrays).flatMap { (boxes, array) -> boxes[rank].map { Triple(array, it, array.memory(it)) } }

private fun List<List<List<Box>>>.valuesOf(world: StripedWorld, rank: Int): Request =
    JoinedRequest(
        zip(world.arrays).flatMap { (boxes, array) -> boxes[rank].map { array.request(it, array.values(it)) } },
    )

/** An array of rows that hold [runCells] cells of each rank. */
private class Columns(val rankCount: Int, rowCount: Long, private val runCells: Long) {
    private val shape = Shape.of(rowCount, rankCount * runCells)
    val byteCount = shape.cellCount() * Long.SIZE_BYTES

    fun request(rank: Int): Request =
        cells(shape, Box.of(longArrayOf(0, rank * runCells), longArrayOf(shape.extent(0), runCells)))

    /** Two rows of stripes in each window. */
    fun set(layout: Striping) = ServedFile(layout, listOf(0, rankCount / 2), 2 * layout.depth())
}

private fun cells(shape: Shape, box: Box): Request =
    ArrayRequest(shape, 0, box, Cells.of(LongArray(box.cellCount().toInt()) { it.toLong() }))

private suspend fun MemoryFiles.readEnds(holeCells: Long) =
    ranks(2) {
        val shape = Shape.of(2 + holeCells)
        val box = Box.of(longArrayOf(if (rank == 0) 0 else 1 + holeCells), longArrayOf(1))
        readConcentrated(ServedFile(Striping.of(1 shl 20, 1), listOf(0), 1 shl 20), cells(shape, box), ::read)
    }

/** What a message has beside bytes: the next window and the number of extents, and for each of these, its place and length. */
private const val HEAD_BYTES = 12
private const val EXTENT_BYTES = 16

/** The bytes of the messages that were sent to each concentrator and that it has not received yet. */
private class AwaitedBytes(rankCount: Int) {
    private val now = AtomicLongArray(rankCount)
    private val largest = AtomicLong()
    val most: Long get() = largest.get()

    fun around(ranks: Communicator): Communicator =
        object : Communicator by ranks {
            override suspend fun send(target: Int, tag: Int, payload: ByteBuffer) {
                if (tag == MessageTags.WINDOW_PIECE) {
                    val bytes = now.addAndGet(target, payload.remaining().toLong())
                    largest.accumulateAndGet(bytes, Math::max)
                }
                ranks.send(target, tag, payload)
            }

            override suspend fun receive(source: Int, tag: Int): ByteBuffer =
                ranks.receive(source, tag).also {
                    if (tag == MessageTags.WINDOW_PIECE) now.addAndGet(ranks.rank, -it.remaining().toLong())
                }
        }
}

private fun onSend(ranks: Communicator, notice: (tag: Int, byteCount: Long) -> Unit): Communicator =
    object : Communicator by ranks {
        override suspend fun send(target: Int, tag: Int, payload: ByteBuffer) {
            notice(tag, payload.remaining().toLong())
            ranks.send(target, tag, payload)
        }
    }

private fun onCopy(request: Request, notice: (byteCount: Long) -> Unit): Request =
    object : Request by request {
        override fun copyTo(target: ByteBuffer, from: Long, to: Long) {
            val before = target.position()
            request.copyTo(target, from, to)
            notice((target.position() - before).toLong())
        }

        override fun copyInto(target: ByteBuffer, from: Long, to: Long) {
            request.copyInto(target, from, to)
            request.forEachExtent(from, to) { _, length -> notice(length.toLong()) }
        }
    }

private fun outsideMemory(request: Request): Request =
    object : Request by request {
        override val isInMemory get() = false

        override fun copyInto(target: ByteBuffer, from: Long, to: Long) =
            error("only its own rank may read the bytes of this request")
    }

private fun MemoryFiles.onWrite(notice: (byteCount: Long) -> Unit): SubFileAccess =
    { number, position, bytes ->
        notice(bytes.remaining().toLong())
        write(number, position, bytes)
    }
