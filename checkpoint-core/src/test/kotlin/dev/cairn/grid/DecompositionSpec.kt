package dev.cairn.grid

import dev.cairn.sion.store.fixture.withRandom
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

class DecompositionSpec :
    FunSpec({
        fun Decomposition.text() = boxes().map { it.joinToString() }

        fun refusal(block: () -> Unit) = shouldThrow<IllegalArgumentException>(block).message

        test("rows are shared nearly equally, the longer shares first") {
            Decomposition.rows(Shape.of(7, 2), 3).text() shouldBe
                listOf("[0..3)x[0..2)", "[3..5)x[0..2)", "[5..7)x[0..2)")
        }

        test("with more ranks than rows the last ranks have no box") {
            Decomposition.rows(Shape.of(2, 5), 4).text() shouldBe listOf("[0..1)x[0..5)", "[1..2)x[0..5)", "", "")
        }

        test("a grid numbers its blocks with the last dimension running fastest") {
            Decomposition.grid(Shape.of(4, 6), 2, 3).text() shouldBe
                listOf(
                    "[0..2)x[0..2)",
                    "[0..2)x[2..4)",
                    "[0..2)x[4..6)",
                    "[2..4)x[0..2)",
                    "[2..4)x[2..4)",
                    "[2..4)x[4..6)",
                )
        }

        test("cuts may be anywhere, also twice at one place") {
            Decomposition.cuts(Shape.of(10, 3), longArrayOf(3, 7, 7), longArrayOf()).text() shouldBe
                listOf("[0..3)x[0..3)", "[3..7)x[0..3)", "", "[7..10)x[0..3)")
        }

        test("the owner of a cell, and the ranks of an area, are those whose boxes hold it") {
            withRandom { random ->
                repeat(300) {
                    val shape = random.shape(60, random.nextInt(1, 4))
                    val cuts =
                        Array(shape.dimensions()) { d ->
                            LongArray(random.nextInt(4)) { random.nextLong(shape.extent(d) + 1) }.sortedArray()
                        }
                    val decomposition = Decomposition.cuts(shape, *cuts)
                    val area = random.tiling(shape, 1).flatten().random(random)
                    val boxes = decomposition.boxes()
                    decomposition.ranksIn(area).toList() shouldBe
                        boxes.indices.filter { rank -> boxes[rank].any { it.intersects(area) } }
                    val cell = area.cell(0)
                    decomposition.rankOf(*cell) shouldBe
                        boxes.indices.single { rank -> boxes[rank].any { it.contains(*cell) } }
                }
            }
            shouldThrow<IndexOutOfBoundsException> {
                Decomposition
                    .rows(
                        Shape.of(4, 2),
                        3,
                    ).rankOf(4, 0)
            }.message shouldBe
                "the shape 4x2 has no cell [4, 0]."
        }

        test("blocks are cut where they are longest") {
            fun sides(shape: Shape, rankCount: Int) = Decomposition.blocks(shape, rankCount).boxes(0).joinToString()
            sides(Shape.of(100, 100), 4) shouldBe "[0..50)x[0..50)"
            sides(Shape.of(100, 10), 4) shouldBe "[0..25)x[0..10)"
            sides(Shape.of(12, 12, 12), 12) shouldBe "[0..4)x[0..6)x[0..6)"
            sides(Shape.of(10, 1000), 7) shouldBe "[0..10)x[0..143)"
        }

        test("any decomposition for any rank count tiles its shape") {
            withRandom { random ->
                repeat(500) {
                    val shape = Shape.of(*LongArray(random.nextInt(1, 7)) { random.nextLong(0, 9) })
                    val rankCount = random.nextInt(1, 40)
                    listOf(Decomposition.rows(shape, rankCount), Decomposition.blocks(shape, rankCount)).forEach {
                        it.rankCount() shouldBe rankCount
                        countHolders(shape, it.boxes()).all { count -> count == 1 } shouldBe true
                    }
                }
            }
        }

        test("one rank's box is found without the others, in arrays of any size") {
            val shape = Shape.of(Long.MAX_VALUE / 4, 4)
            val last = Decomposition.rows(shape, 1_000_003).boxes(1_000_002).single()
            last.end(0) shouldBe shape.extent(0)
            last.extent(0) shouldBe shape.extent(0) / 1_000_003
        }

        test("what is no decomposition is refused") {
            refusal { Decomposition.rows(Shape.of(3), 0) } shouldBe
                "an array is decomposed into at least 1 part, not 0."
            refusal { Decomposition.blocks(Shape.of(3), -2) } shouldBe
                "an array is decomposed into at least 1 part, not -2."
            refusal { Decomposition.grid(Shape.of(3, 3), 2) } shouldBe
                "the shape 3x3 needs 2 part counts, one for each dimension, not 1."
            refusal { Decomposition.cuts(Shape.of(3, 3), longArrayOf()) } shouldBe
                "the shape 3x3 needs 2 lists of cuts, one for each dimension, not 1."
            refusal { Decomposition.cuts(Shape.of(9, 5), longArrayOf(3), longArrayOf(4, 2)) } shouldBe
                "the cuts [4, 2] of dimension 1 do not rise from 0 to its extent 5."
            refusal { Decomposition.cuts(Shape.of(9), longArrayOf(10)) } shouldBe
                "the cuts [10] of dimension 0 do not rise from 0 to its extent 9."
            shouldThrow<IndexOutOfBoundsException> { Decomposition.rows(Shape.of(3), 2).boxes(2) }.message shouldBe
                "rank 2 is not one of the 2 of this decomposition."
        }
    })

/** How many boxes hold each cell of the shape, by asking each box for each of its cells. */
internal fun countHolders(shape: Shape, boxesByRank: List<List<Box>>): IntArray {
    val counts = IntArray(shape.cellCount().toInt())
    boxesByRank.flatten().flatMap { it.cells() }.forEach { counts[shape.index(*it.toLongArray()).toInt()]++ }
    return counts
}
