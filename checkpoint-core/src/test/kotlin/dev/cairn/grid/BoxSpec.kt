package dev.cairn.grid

import dev.cairn.sion.store.fixture.withRandom
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

class BoxSpec :
    FunSpec({
        test("a box is a shape at a place") {
            val box = Shape.of(3, 4).at(0, 4)
            box.toString() shouldBe "[0..3)x[4..8)"
            box.start(1) shouldBe 4
            box.end(1) shouldBe 8
            box.extent(0) shouldBe 3
            box.cellCount() shouldBe 12
            box shouldBe Box.of(longArrayOf(0, 4), longArrayOf(3, 4))
            box.hashCode() shouldBe Box.of(longArrayOf(0, 4), longArrayOf(3, 4)).hashCode()
            (box == Shape.of(3, 4).at(0, 5)) shouldBe false
        }

        test("cells are numbered from the box's own first cell") {
            val halo = Shape.of(3, 4).at(-1, 7)
            halo.index(-1, 7) shouldBe 0
            halo.index(0, 10) shouldBe 7
            halo.cell(11).toList() shouldBe listOf(1, 10)
        }

        test("what two boxes share is what each cell says") {
            withRandom { random ->
                repeat(2000) {
                    val dimensions = random.nextInt(1, 4)

                    fun anyBox() =
                        Box.of(
                            LongArray(dimensions) { random.nextLong(-2, 3) },
                            LongArray(dimensions) { random.nextLong(0, 4) },
                        )
                    val one = anyBox()
                    val other = anyBox()
                    val shared = one.cells().filter { it in other.cells() }
                    one.intersection(other).cells() shouldBe shared
                    one.intersects(other) shouldBe shared.isNotEmpty()
                    one.contains(other) shouldBe (shared.size.toLong() == other.cellCount())
                    other.cells().forEach { one.contains(*it.toLongArray()) shouldBe (it in one.cells()) }
                }
            }
        }

        test("boxes far apart share nothing, however far") {
            val low = Shape.of(5).at(Long.MIN_VALUE)
            val high = Shape.of(5).at(Long.MAX_VALUE - 5)
            low.intersects(high) shouldBe false
            low.intersection(high).isEmpty shouldBe true
        }

        test("what is no box is refused") {
            shouldThrow<IllegalArgumentException> { Shape.of(3, 4).at(1) }.message shouldBe
                "a position in a box of 3x4 cells has 2 numbers, not 1."
            shouldThrow<IllegalArgumentException> { Shape.of(3).at(Long.MAX_VALUE) }.message shouldBe
                "a box of 3 cells at [9223372036854775807] ends behind 2^63 - 1."
            shouldThrow<IllegalArgumentException> {
                Shape
                    .of(
                        3,
                    ).at(0)
                    .intersects(Shape.of(3, 4).box())
            }.message shouldBe
                "[0..3) and [0..3)x[0..4) do not have the same number of dimensions."
        }
    })

/** Every cell of the box, in row-major order, by counting up like an odometer. */
internal fun Box.cells(): List<List<Long>> =
    (0 until dimensions()).fold(listOf(emptyList())) { begun, dimension ->
        begun.flatMap { cell -> (start(dimension) until end(dimension)).map { cell + it } }
    }
