package dev.cairn.multifile

import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.ranks
import dev.cairn.sion.ChunkWriter
import dev.cairn.sion.Grouping
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.runBlocking
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.random.Random

/** Groups whose collector's chunks hold what all of their ranks wrote, in the C library's order. */
class MergedWritingSpec :
    FunSpec({
        test("ranks that write in alternating rounds, and nothing in the others, are merged round by round") {
            val merge =
                Merge(blockSize = 512, groupSize = 2, listOf(600L, 600L), listOf(listOf(0, 20, 0), listOf(10, 0, 30)))
            merge.streams() shouldBe listOf(merge.bytes(1, 0) + merge.bytes(0, 1) + merge.bytes(1, 2), emptyList())
            merge.write(ChunkWriter::write) shouldBe merge.blocks()
        }

        test("an empty append is a round, too") {
            val merge = Merge(blockSize = 512, groupSize = 2, listOf(600L, 600L), listOf(listOf(0, 20), listOf(10, 0)))
            merge.write(ChunkWriter::append) shouldBe merge.blocks()
        }

        test("any calls of any ranks are merged as the C library merges them") {
            withRandom { random ->
                repeat(100) { round ->
                    val merge = Merge.random(random)
                    withClue("round $round: $merge") { merge.write(ChunkWriter::write) shouldBe merge.blocks() }
                }
            }
        }
    })

/** What ranks write into merged groups: for each call its bytes. All ranks make as many calls, as C demands. */
private class Merge(
    private val blockSize: Int,
    private val groupSize: Int,
    private val requests: List<Long>,
    private val calls: List<List<Int>>,
) {
    fun bytes(rank: Int, call: Int): List<Byte> = List(calls[rank][call]) { (it * 7 + rank * 31 + call * 57).toByte() }

    /** The bytes that each task's chunks hold, block by block, when ranks have written them. */
    fun write(write: ChunkWriter.(ByteBuffer) -> Unit): List<List<List<Byte>>> {
        val spec =
            MultifileSpec
                .parallel(Path.of("x.sion"))
                .withBlockSize(blockSize)
                .withGrouping(Grouping.ofExactly(groupSize).merged())
        val disk = SimulatedDisk()
        runBlocking {
            ranks(RankPlan(requests.size, Schedule.Deterministic())) {
                writeMultifile(spec, requests[rank], disk.host("node0")) { chunks ->
                    for (call in calls[rank].indices) {
                        write(chunks, ByteBuffer.wrap(bytes(rank, call).toByteArray()))
                    }
                }
            }
        }
        return Multifile.open(disk.host("node0"), spec.path()).use { view ->
            List(view.taskCount()) { number ->
                val task = view.task(number)
                var stream = task.stream().use { it.readAllBytes().toList() }
                List(task.blockCount()) { block ->
                    val bytes = task.bytesInBlock(block).toInt()
                    stream.take(bytes).also { stream = stream.drop(bytes) }
                }
            }
        }
    }

    fun streams(): List<List<Byte>> = blocks().map { it.flatten() }

    /**
     * The C library's rule: call by call, the collector's bytes as one piece, then those of each other rank in pieces of
     * the block size. A piece is never split; where it does not fit, the next block begins.
     */
    fun blocks(): List<List<List<Byte>>> =
        requests.indices.map { rank ->
            if (rank % groupSize ==
                0
            ) {
                merged(rank until minOf(rank + groupSize, requests.size))
            } else {
                listOf(emptyList())
            }
        }

    private fun merged(group: IntRange): List<List<Byte>> {
        val room = up(group.sumOf { requests[it] })
        val blocks = mutableListOf(mutableListOf<Byte>())
        for (call in calls[0].indices) {
            for (piece in group.flatMap { pieces(it, call, isCollector = it == group.first) }) {
                if (blocks.last().size + piece.size > room) blocks += mutableListOf<Byte>()
                blocks.last() += piece
            }
        }
        return blocks
    }

    private fun pieces(rank: Int, call: Int, isCollector: Boolean): List<List<Byte>> =
        if (isCollector) listOf(bytes(rank, call)) else bytes(rank, call).chunked(blockSize)

    private fun up(size: Long) = (size + blockSize - 1) / blockSize * blockSize

    override fun toString() = "blocks of $blockSize, groups of $groupSize, chunks $requests, calls $calls"

    companion object {
        fun random(random: Random): Merge {
            val requests = List(random.nextInt(1, 10)) { random.nextLong(1, 300) }
            val callCount = random.nextInt(1, 7)
            val calls =
                requests.map { most ->
                    List(callCount) { if (random.nextBoolean()) 0 else random.nextInt(0, most.toInt() + 1) }
                }
            return Merge(listOf(16, 64, 512).random(random), random.nextInt(1, 6), requests, calls)
        }
    }
}
