package dev.cairn.checkpoint

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer

/** What the copies of state take, keep and give back. */
class SnapshotMemorySpec :
    FunSpec({
        test("a large copy lies in several pieces, of which all but the last are full") {
            val memory = SnapshotMemory(SnapshotBudget(1000), pieceSize = 64)
            memory.sizesOf(64) shouldContainExactly listOf(64)
            memory.sizesOf(65) shouldContainExactly listOf(64, 1)
            memory.sizesOf(200) shouldContainExactly listOf(64, 64, 64, 8)
            memory.sizesOf(0).shouldBeEmpty()
        }

        test("pieces do not overlap") {
            val memory = SnapshotMemory(SnapshotBudget(100_000), pieceSize = 256)
            val pieces = listOf(1L, 100L, 300L, 7L, 1000L, 64L).flatMap { memory.take(it).shouldNotBeNull() }
            pieces.forEachIndexed { index, piece -> piece.fillWith(index.toByte()) }
            pieces.forEachIndexed { index, piece -> piece.isFilledWith(index.toByte()) shouldBe true }
        }

        test("the ranks of a process share one budget, to the last byte") {
            val budget = SnapshotBudget(1000)
            val (one, other) = List(2) { SnapshotMemory(budget) }
            one.take(600).shouldNotBeNull()
            other.take(401).shouldBeNull()
            other.take(400).shouldNotBeNull()
            one.take(1).shouldBeNull()
        }

        test("what fits into the budget is taken, although there is no room to grow") {
            val memory = SnapshotMemory(SnapshotBudget(1000))
            memory.take(500).shouldNotBeNull()
            memory.clear()
            memory.take(500).shouldNotBeNull()
            memory.take(500).shouldNotBeNull()
            memory.take(1).shouldBeNull()
        }

        test("of a copy for which there is no room, nothing is kept from the others") {
            val memory = SnapshotMemory(SnapshotBudget(1000), pieceSize = 400)
            memory.take(1001).shouldBeNull()
            memory.allOrNothing { memory.take(500)?.let { memory.take(501) } }.shouldBeNull()
            memory.take(800).shouldNotBeNull()
        }

        test("the next save has the same memory again") {
            val budget = SnapshotBudget(1000)
            val memory = SnapshotMemory(budget)
            val first = memory.take(900).shouldNotBeNull().single()
            memory.clear()
            val second = memory.take(900).shouldNotBeNull().single()
            first.fillWith(7)
            second.isFilledWith(7) shouldBe true
            budget.free() shouldBe 100
        }

        test("memory that a save did not need is given back after it, and all of it in the end") {
            val budget = SnapshotBudget(1000)
            val memory = SnapshotMemory(budget)
            memory.take(300)
            memory.take(600)
            memory.clear()
            memory.take(200)
            memory.clear()
            budget.free() shouldBe 700
            memory.clear()
            budget.free() shouldBe 1000
            memory.take(1000).shouldNotBeNull()
            memory.close()
            budget.free() shouldBe 1000
        }

        test("small pieces take little more memory than they have bytes, and one save as much as the next") {
            val budget = SnapshotBudget(4_000_000)
            val memory = SnapshotMemory(budget)
            val left =
                List(3) {
                    repeat(3000) { memory.take(1000).shouldNotBeNull() }
                    memory.clear()
                    budget.free()
                }
            left.distinct().single() shouldBeGreaterThan 0
        }

        test("state that has grown since the last save gets room to grow further") {
            val budget = SnapshotBudget(10_000)
            val memory = SnapshotMemory(budget)
            memory.take(800)
            memory.clear()
            val grown = memory.take(1600).shouldNotBeNull().single()
            memory.clear()
            val again = memory.take(1700).shouldNotBeNull().single()
            grown.fillWith(7)
            again.limit(1600).isFilledWith(7) shouldBe true
        }
    })

private fun SnapshotMemory.sizesOf(size: Long) = take(size).shouldNotBeNull().map { it.remaining() }

private fun ByteBuffer.fillWith(byte: Byte) = (0 until limit()).forEach { put(it, byte) }

private fun ByteBuffer.isFilledWith(byte: Byte) = (0 until limit()).all { get(it) == byte }

/** The bytes of the budget that are left, found out by taking them. */
private fun SnapshotBudget.free(): Long =
    (limit downTo 0).first { size ->
        tryTake(size).also { if (it) giveBack(size) }
    }
