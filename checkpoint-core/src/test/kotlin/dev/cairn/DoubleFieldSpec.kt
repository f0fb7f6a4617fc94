package dev.cairn

import dev.cairn.grid.Decomposition
import dev.cairn.grid.Halo
import dev.cairn.grid.Shape
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.util.function.LongToDoubleFunction

class DoubleFieldSpec :
    FunSpec({
        fun Communicator.fieldOf(shape: Shape, halo: Halo = Halo.of(1)) =
            DoubleField(this, Decomposition.blocks(shape, size), halo) { cell -> value(cell) }

        test("a cell outside of the block and its halo is refused in words, and is not that of another row") {
            ranks(2) {
                val u = fieldOf(Shape.of(6, 4))
                val refusal =
                    "the cell (${3 - rank * 3}, 5) is not among those of rank $rank, which are ${u.within}: its " +
                        "block ${u.box} and a halo of 1"
                val row = 3L - rank * 3
                shouldThrow<IndexOutOfBoundsException> { u[row, 5] }.message shouldBe refusal
                shouldThrow<IndexOutOfBoundsException> { u[row, 5] = 1.0 }.message shouldBe refusal
                for ((i, j) in listOf(u.within.start(0) - 1 to 0L, u.within.end(0) to 0L, row to -2L, row to 5L)) {
                    shouldThrow<IndexOutOfBoundsException> { u[i, j] }
                }
                u[u.within.start(0), -1] shouldBe value(longArrayOf(u.within.start(0), -1))
                val line = fieldOf(Shape.of(6))
                shouldThrow<IndexOutOfBoundsException> { line[line.within.end(0)] }
                val space = fieldOf(Shape.of(2, 3, 4))
                for (d in 0 until 3) {
                    val (first, end) = space.within.start(d) to space.within.end(d)
                    for (beyond in listOf(first - 1, end, first - 1_000_000, Int.MIN_VALUE + 9L, Int.MAX_VALUE - 9L)) {
                        val cell = LongArray(3) { if (it == d) beyond else space.box.start(it) }
                        shouldThrow<IndexOutOfBoundsException> { space[cell[0], cell[1], cell[2]] = 1.0 }
                    }
                }
            }
        }

        test("indices of the type Int name the same cells, and are refused in the same words") {
            ranks(2) {
                val (line, plane, space) = listOf(Shape.of(6), Shape.of(6, 4), Shape.of(4, 3, 4)).map { fieldOf(it) }
                for (field in listOf(line, plane, space)) {
                    for (at in field.data.indices) {
                        val cell = field.within.cell(at.toLong())
                        val index = cell.map { it.toInt() }
                        val (byInts, byLongs) =
                            when (index.size) {
                                1 -> field[index[0]] to field[cell[0]]
                                2 -> field[index[0], index[1]] to field[cell[0], cell[1]]
                                else -> field[index[0], index[1], index[2]] to field[cell[0], cell[1], cell[2]]
                            }
                        byInts shouldBe value(cell)
                        byLongs shouldBe value(cell)
                    }
                }
                for (d in 0 until 3) {
                    val (first, end) = space.within.start(d).toInt() to space.within.end(d).toInt()
                    for (beyond in listOf(first - 1, end, first + Int.MIN_VALUE, Int.MIN_VALUE, Int.MAX_VALUE)) {
                        val cell = IntArray(3) { if (it == d) beyond else space.box.start(it).toInt() }
                        val byInts = { space[cell[0], cell[1], cell[2]] = 1.0 }
                        val byLongs = { space[cell[0].toLong(), cell[1].toLong(), cell[2].toLong()] = 1.0 }
                        shouldThrow<IndexOutOfBoundsException>(byInts).message shouldBe
                            shouldThrow<IndexOutOfBoundsException>(byLongs).message
                    }
                }
                val row = plane.box.start(0).toInt()
                plane[row, -1] = 3.0
                plane[row, 2] = 5.0
                plane[row.toLong(), -1L] shouldBe 3.0
                plane[row.toLong(), 2L] shouldBe 5.0
                line[line.box.start(0).toInt()] = 8.0
                line[line.box.start(0)] shouldBe 8.0
            }
        }

        test("a cell beyond 2^31 has no index of the type Int, and none is taken for it") {
            ranks(2) {
                if (rank == 0) return@ranks
                val shape = Shape.of(2, 1L shl 33)
                val blocks = Decomposition.cuts(shape, longArrayOf(), longArrayOf(BEYOND_INTS))
                val wide = DoubleField(this, blocks, Halo.of(0)) { cell -> value(cell) }
                wide[1L, BEYOND_INTS + 2] shouldBe value(longArrayOf(1, BEYOND_INTS + 2))
                shouldThrow<IndexOutOfBoundsException> { wide[1, BEYOND_INTS.toInt() + 2] }
            }
        }

        test("a field has as many indices as dimensions") {
            ranks(1) {
                val u = fieldOf(Shape.of(6, 4))
                val refusal = "a cell of this field of the shape 6x4 has 2 indices, not 3"
                shouldThrow<IllegalArgumentException> { u[1, 1, 1] }.message shouldBe refusal
                shouldThrow<IllegalArgumentException> { u[1] }.message shouldBe refusal.replace("3", "1")
                shouldThrow<IllegalArgumentException> { u.update { i, _, _ -> i.toDouble() } }.message shouldBe refusal
                val line = fieldOf(Shape.of(5))
                shouldThrow<IllegalArgumentException> { line.update { i, _ -> i.toDouble() } }.message shouldBe
                    "a cell of this field of the shape 5 has 1 index, not 2"
            }
        }

        test("in one, two and three dimensions a step is the same on any number of ranks") {
            for (count in listOf(1, 2, 3, 8)) {
                ranks(count) {
                    val line = fieldOf(Shape.of(9))
                    line.update { i -> line[i - 1] + 2 * line[i + 1] }
                    val plane = fieldOf(Shape.of(5, 6))
                    plane.update { i, j -> plane[i - 1, j] + 2 * plane[i, j + 1] }
                    val space = fieldOf(Shape.of(4, 5, 3))
                    space.update { i, j, k -> space[i - 1, j, k] + 2 * space[i, j + 1, k] + 3 * space[i, j, k - 1] }
                    for ((field, expected) in listOf(line to ::onLine, plane to ::inPlane, space to ::inSpace)) {
                        field.exchangeHalo()
                        for (at in field.data.indices) {
                            val cell = field.within.cell(at.toLong())
                            val isInside = field.shape.box().contains(*cell)
                            field.data[at] shouldBe if (isInside) expected(cell) else value(cell)
                        }
                    }
                }
            }
        }

        test("in Java the number of a lambda's parameters says of how many dimensions the field is") {
            ranks(1) {
                val space = fieldOf(Shape.of(2, 2, 2))
                space.update(CellValue.InSpace { i, j, k -> 100.0 * i + 10 * j + k })
                space[1, 0, 1] shouldBe 101.0
                val line = fieldOf(Shape.of(3))
                line.update(LongToDoubleFunction { i -> -i.toDouble() })
                line[2] shouldBe -2.0
            }
        }

        test("a periodic field has its other end in its halo") {
            ranks(3) {
                val u = fieldOf(Shape.of(7, 2), Halo.of(1, 0).periodic())
                u.exchangeHalo()
                for (i in u.within.start(0) until u.within.end(0)) {
                    u[i, 1] shouldBe value(longArrayOf(Math.floorMod(i, 7L), 1))
                }
            }
        }
    })

private const val BEYOND_INTS = (1L shl 33) - 5

private fun value(cell: LongArray): Double = cell.fold(7.0) { sum, index -> sum * 11 + index }

private fun onLine(cell: LongArray) = value(longArrayOf(cell[0] - 1)) + 2 * value(longArrayOf(cell[0] + 1))

private fun inPlane(cell: LongArray): Double {
    val (i, j) = cell
    return value(longArrayOf(i - 1, j)) + 2 * value(longArrayOf(i, j + 1))
}

private fun inSpace(cell: LongArray): Double {
    val (i, j, k) = cell
    return value(longArrayOf(i - 1, j, k)) + 2 * value(longArrayOf(i, j + 1, k)) + 3 * value(longArrayOf(i, j, k - 1))
}
