package dev.cairn.multifile

import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.random.Random

/** Writes that wait, and what becomes of them. */
class WriteBatchSpec :
    FunSpec({
        test("writes are kept in their order, and need no room but their own") {
            val batch = WriteBatch()
            batch.add(10, bytes(1, 2)) shouldBe true
            batch.add(12, bytes(3)) shouldBe true
            batch.add(4, bytes()) shouldBe true
            batch.content() shouldBe listOf(10L to listOf(1, 2), 12L to listOf(3), 4L to emptyList())
            batch.byteCount shouldBe 3
        }

        test("a write that continues the one before is joined with it where their buffer has room") {
            val batch = WriteBatch { listOf(ByteBuffer.allocate(4)) }
            batch.add(10, bytes(1, 2))
            batch.add(12, bytes(3))
            batch.add(13, bytes(4, 5))
            batch.add(20, bytes(6))
            batch.content() shouldBe listOf(10L to listOf(1, 2, 3, 4), 14L to listOf(5), 20L to listOf(6))
            batch.runs.joined().map { it.position to it.values() } shouldBe
                listOf(10L to listOf(1, 2, 3, 4, 5), 20L to listOf(6))
        }

        test("a write for which there is no room is refused, and its source is left as it is") {
            val batch = WriteBatch(most = 3)
            val source = bytes(3, 4)
            batch.add(0, bytes(1, 2))
            batch.add(2, source) shouldBe false
            source.remaining() shouldBe 2
            batch.refusedCount shouldBe 2
            batch.content() shouldBe listOf(0L to listOf(1, 2))
            batch.clear()
            batch.add(2, source) shouldBe true
        }

        test("the first runs are taken out, and the others stay") {
            val batch = WriteBatch { size -> (0 until size step 4).map { ByteBuffer.allocate(4) } }
            batch.add(0, bytes(1, 2, 3, 4, 5, 6))
            batch.takeFirst(4).map { it.position to it.values() } shouldBe listOf(0L to listOf(1, 2, 3, 4))
            batch.byteCount shouldBe 2
            batch.add(6, bytes(7))
            batch.takeFirst(4).map { it.position to it.values() } shouldBe listOf(4L to listOf(5, 6, 7))
            batch.byteCount shouldBe 0
        }

        test("any writes give the same file, at once, from a batch, joined, or window by window") {
            withRandom { random ->
                repeat(100) {
                    val writes = randomWrites(random)
                    val batch = WriteBatch { size -> listOf(ByteBuffer.allocate(size.toInt() + random.nextInt(9))) }
                    writes.forEach { batch.add(it.position, it.bytes.duplicate()) }
                    val sorted = batch.runs.sortedBy { it.position }
                    val expected = contentOf(writes)
                    contentOf(batch.runs) shouldBe expected
                    contentOf(batch.runs.joined()) shouldBe expected
                    contentOf(listOf(batch.runs.filled())) shouldBe expected
                    val size = 1L + random.nextInt(20)
                    contentOf((0L until 300 step size).flatMap { sorted.within(it until it + size) }) shouldBe expected
                }
            }
        }
    })

private fun bytes(vararg values: Int) = ByteBuffer.wrap(ByteArray(values.size) { values[it].toByte() })

private fun WriteBatch.content() = runs.map { it.position to it.values() }

private fun PositionedBytes.values() = List(bytes.remaining()) { bytes.get(it).toInt() }

/** Writes that do not overlap, in any order. */
private fun randomWrites(random: Random): List<PositionedBytes> {
    var next = 0L
    return List(1 + random.nextInt(20)) {
        val content = random.nextBytes(1 + random.nextInt(10))
        PositionedBytes(next, ByteBuffer.wrap(content)).also { next = it.end + maxOf(0, random.nextInt(-4, 4)) }
    }.shuffled(random)
}

private fun contentOf(writes: List<PositionedBytes>): List<Byte> {
    val disk = SimulatedDisk().host("node0")
    return disk.create(Path.of("file")).use { file ->
        writes.forEach(file::write)
        val content = ByteBuffer.allocate(file.size().toInt())
        file.readFully(0, content)
        content.array().toList()
    }
}
