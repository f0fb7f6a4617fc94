package dev.cairn.grid

import dev.cairn.sion.store.fixture.withRandom
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

class ShapeSpec :
    FunSpec({
        fun refusal(block: () -> Unit) = shouldThrow<IllegalArgumentException>(block).message

        test("a shape tells its extents and how many cells they make") {
            val shape = Shape.of(1024, 768, 2)
            shape.dimensions() shouldBe 3
            shape.extent(1) shouldBe 768
            shape.cellCount() shouldBe 1024 * 768 * 2
            shape.toString() shouldBe "1024x768x2"
            shape shouldBe Shape.of(1024, 768, 2)
            shape.hashCode() shouldBe Shape.of(1024, 768, 2).hashCode()
            (shape == Shape.of(1024, 768)) shouldBe false
        }

        test("cells are numbered with the last dimension running fastest") {
            val shape = Shape.of(2, 3, 4)
            var next = 0L
            for (i in 0L..1) {
                for (j in 0L..2) {
                    for (k in 0L..3) {
                        shape.index(i, j, k) shouldBe next
                        shape.cell(next).toList() shouldBe listOf(i, j, k)
                        next++
                    }
                }
            }
        }

        test("numbers and cells belong to each other in shapes of any size") {
            withRandom { random ->
                repeat(1000) {
                    val extents = LongArray(random.nextInt(1, 7)) { random.nextLong(1, 1500) }
                    val index = random.nextLong(extents.reduce(Long::times))
                    Shape.of(*extents).let { it.index(*it.cell(index)) } shouldBe index
                }
            }
        }

        test("an empty dimension leaves no cells") {
            Shape.of(5, 0, 7).cellCount() shouldBe 0
            Shape.of(5, 0, 7).box().isEmpty shouldBe true
        }

        test("what is no shape is refused") {
            refusal { Shape.of() } shouldBe "a shape has 1 to 6 dimensions, not 0."
            refusal { Shape.of(1, 1, 1, 1, 1, 1, 1) } shouldBe "a shape has 1 to 6 dimensions, not 7."
            refusal { Shape.of(3, -1) } shouldBe "the shape 3x-1 has a negative extent."
        }

        test("more cells than a long can count are refused and never wrap") {
            Shape.of(Long.MAX_VALUE).cellCount() shouldBe Long.MAX_VALUE
            Shape.of(1L shl 31, 1L shl 31).cellCount() shouldBe (1L shl 62)
            refusal { Shape.of(1L shl 32, 1L shl 31) } shouldBe
                "the shape 4294967296x2147483648 has more than 2^63 - 1 cells."
            refusal { Shape.of(1L shl 32, 1L shl 32) } shouldBe
                "the shape 4294967296x4294967296 has more than 2^63 - 1 cells."
            refusal { Shape.of(0, 1L shl 32, 1L shl 32) } shouldBe
                "the shape 0x4294967296x4294967296 has more than 2^63 - 1 cells."
        }

        test("a cell that is not there has no number") {
            shouldThrow<IndexOutOfBoundsException> { Shape.of(2, 3).index(1, 3) }.message shouldBe
                "the cell [1, 3] is not in [0..2)x[0..3)."
            shouldThrow<IndexOutOfBoundsException> { Shape.of(2, 3).cell(6) }
            shouldThrow<IndexOutOfBoundsException> { Shape.of(2, 0).cell(0) }
            refusal { Shape.of(2, 3).index(1) } shouldBe "a position in a box of 2x3 cells has 2 numbers, not 1."
        }
    })
