package dev.cairn.output

import dev.cairn.redistribution.Image
import dev.cairn.sion.store.fixture.withRandom
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

class RowCellsSpec :
    FunSpec({
        test("any rows become the fewest blocks, with the values at their ids") {
            withRandom { random ->
                repeat(200) {
                    val ids = (0L until 20).filter { random.nextBoolean() }
                    val blocks = ids.shuffled(random).cellsOf("row", 20, { it }) { 10.0 * it }
                    val found =
                        blocks.flatMap { block ->
                            val bytes = ByteBuffer.allocate(8 * block.box.cellCount().toInt()).order(LITTLE_ENDIAN)
                            block.copy(block.box, bytes, Image.of(block.box))
                            List(bytes.limit() / 8) { block.box.start(0) + it to bytes.getDouble(8 * it) }
                        }
                    found shouldBe ids.map { it to 10.0 * it }
                    blocks.size shouldBe ids.count { it - 1 !in ids }
                }
            }
        }

        test("an id that is not below the count, or on two rows, is refused") {
            shouldThrow<IllegalArgumentException> { listOf(3L, 5L).cellsOf("star", 5, { it }) { 0.0 } }.message shouldBe
                "a row has the id 5, but 'star' has 5 rows with the ids 0 to 4. Declare as many rows as there are, " +
                "and number them from 0"
            shouldThrow<IllegalArgumentException> { listOf(-1L).cellsOf("star", 5, { it }) { 0.0 } }
            val twice = listOf(4L, 1L, 4L)
            shouldThrow<IllegalArgumentException> { twice.cellsOf("star", 5, { it }) { 0.0 } }.message shouldBe
                "two rows of this rank have the id 4 in 'star'. Let each row have its own"
        }
    })
