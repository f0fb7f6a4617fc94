package dev.cairn.redistribution

import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.grid.countHolders
import dev.cairn.grid.resized
import dev.cairn.grid.shape
import dev.cairn.grid.tiling
import dev.cairn.sion.store.fixture.withRandom
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlin.random.Random

class TilingSpec :
    FunSpec({
        fun flaw(shape: Shape, vararg boxes: List<Box>): String? = Tiling.flaw("u", shape, boxes.asList()).orElse(null)

        fun square(row: Long, column: Long) = Shape.of(2, 2).at(row, column)

        test("boxes that hold each cell once tile the shape, independently of their ranks") {
            flaw(Shape.of(2, 4), listOf(square(0, 2), square(0, 0)), emptyList()) shouldBe null
        }

        test("an empty shape is tiled by no boxes, and by empty boxes") {
            flaw(Shape.of(0, 3), emptyList()) shouldBe null
            flaw(Shape.of(0, 3), listOf(Shape.of(0, 2).at(0, 1))) shouldBe null
        }

        test("an overlap names both ranks, both boxes and the place") {
            val wide = Shape.of(1, 3).at(1, 1)
            flaw(Shape.of(2, 4), listOf(square(0, 0)), emptyList(), listOf(square(0, 2), wide)) shouldBe
                "u: the box [0..2)x[0..2) of rank 0 and the box [1..2)x[1..4) of rank 2 overlap in [1..2)x[1..2); " +
                "a cell has one owner, and halos do not count."
        }

        test("a gap names one of its cells and how many there are") {
            flaw(Shape.of(4, 4), listOf(square(0, 0), square(2, 0)), listOf(square(2, 2))) shouldBe
                "u: no rank has the cell (0, 2); missing are at least 4 of the 16 cells of the shape 4x4."
            flaw(Shape.of(7)) shouldBe
                "u: no rank has the cell (0); missing are at least 7 of the 7 cells of the shape 7."
        }

        test("a box outside names its rank") {
            flaw(Shape.of(4, 4), listOf(square(0, 0)), listOf(square(3, 0))) shouldBe
                "u: the box [3..5)x[0..2) of rank 1 does not lie in the shape 4x4."
            flaw(Shape.of(4, 4), listOf(Shape.of(4).box())) shouldBe
                "u: the box [0..4) of rank 0 does not lie in the shape 4x4."
            flaw(Shape.of(4), listOf(Shape.of(5).at(-1))) shouldBe
                "u: the box [-1..4) of rank 0 does not lie in the shape 4."
        }

        test("the largest shapes are checked without wrapping") {
            val shape = Shape.of(Long.MAX_VALUE / 8, 8)
            Tiling.flaw("u", shape, Decomposition.blocks(shape, 13).boxes()).isEmpty shouldBe true
            Tiling.flaw("u", shape, List(20) { listOf(shape.box()) }).isPresent shouldBe true
        }

        test("the verdict is that of counting the holders of each cell, on any boxes") {
            var flawed = 0
            withRandom { random ->
                repeat(3000) {
                    val shape = random.shape(60)
                    val boxes = random.perhapsSpoiled(random.tiling(shape, random.nextInt(1, 9)))
                    val counts = countHolders(shape, boxes)
                    val firstWrong = counts.indexOfFirst { it != 1 }
                    val verdict = Tiling.flaw("u", shape, boxes).orElse(null)
                    (verdict == null) shouldBe (firstWrong == -1)
                    verdict?.let {
                        it.contains("overlap") shouldBe (counts[firstWrong] > 1)
                        flawed++
                    }
                }
            }
            println("TilingSpec: $flawed of 3000 were spoiled")
        }

        test("10,000 boxes are checked at once, also those that no plane cuts apart") {
            val shape = Shape.of(1000, 1000, 1000)
            val random = Random(1)
            listOf(Decomposition.blocks(shape, 10_000).boxes(), random.tiling(shape, 10_000, 10_000)).forEach { boxes ->
                Tiling.flaw("u", shape, boxes).isEmpty shouldBe true
            }
        }
    })

/** One box moved, grown, shrunk or doubled inside the shape, or nothing changed. */
private fun Random.perhapsSpoiled(boxes: List<List<Box>>): List<List<Box>> {
    val rank = boxes.indices.filter { boxes[it].isNotEmpty() }.random(this)
    val victim = boxes[rank].random(this)
    val spoiled = spoil(victim, nextInt(victim.dimensions()))
    val whole = boxes.flatten().reduce { all, box -> all.hull(box) }
    return boxes.mapIndexed { index, held ->
        if (index == rank) held - victim + spoiled.map(whole::intersection) else held
    }
}

private fun Random.spoil(box: Box, dimension: Int): List<Box> =
    when (nextInt(5)) {
        0 -> listOf(box.resized(dimension, box.start(dimension) + 1, box.extent(dimension)))
        1 -> listOf(box.resized(dimension, box.start(dimension), box.extent(dimension) + 1))
        2 -> listOf(box.resized(dimension, box.start(dimension), box.extent(dimension) - 1))
        3 -> listOf(box, box)
        else -> listOf(box)
    }

private fun Box.hull(other: Box): Box {
    val start = LongArray(dimensions()) { minOf(start(it), other.start(it)) }
    return Box.of(start, LongArray(dimensions()) { maxOf(end(it), other.end(it)) - start[it] })
}
