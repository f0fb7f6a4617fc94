package dev.cairn.redistribution

import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.grid.shape
import dev.cairn.grid.tiling
import dev.cairn.sion.store.fixture.withRandom
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlin.random.Random

class SparseTilingSpec :
    FunSpec({
        test("boxes that leave cells out are sound, and those that overlap or lie outside are not") {
            withRandom { random ->
                repeat(500) {
                    val shape = random.shape(60)
                    val boxes = random.someBoxes(shape)
                    val holders = holders(shape, boxes.flatten())
                    SparseTiling.flaw("u", shape, boxes).isPresent shouldBe holders.any { it > 1 }
                }
            }
            SparseTiling.flaw("u", Shape.of(4), listOf(emptyList(), listOf(Shape.of(2).at(3)))).get() shouldBe
                "u: the box [3..5) of rank 1 does not lie in the shape 4."
            SparseTiling.flaw("u", Shape.of(4, 4), listOf(listOf(Shape.of(2).at(3)))).get() shouldBe
                "u: the box [3..5) of rank 0 does not lie in the shape 4x4."
        }

        test("a gap is found exactly where a cell has no holder, and holds only such cells") {
            withRandom { random ->
                repeat(500) {
                    val shape = random.shape(60)
                    val boxes = random.someBoxes(shape)
                    val area = random.tiling(shape, 1).flatten().random(random)
                    val holders = holders(shape, boxes.flatten())
                    val missing = cells(area).filter { holders[shape.index(*it).toInt()] == 0 }
                    val gap = Distribution.of(boxes).gapIn(area)
                    gap.isPresent shouldBe missing.isNotEmpty()
                    gap.ifPresent { found ->
                        area.contains(found) shouldBe true
                        cells(found).forEach { holders[shape.index(*it).toInt()] shouldBe 0 }
                    }
                }
            }
        }
    })

private fun Random.someBoxes(shape: Shape): List<List<Box>> {
    val kept = tiling(shape, 3).map { boxes -> boxes.filter { nextInt(4) > 0 } }
    return if (nextBoolean()) kept else kept + listOf(tiling(shape, 1).flatten().take(1))
}

private fun cells(box: Box): List<LongArray> = List(box.cellCount().toInt()) { box.cell(it.toLong()) }

private fun holders(shape: Shape, boxes: List<Box>) =
    IntArray(shape.cellCount().toInt()).also { counts ->
        for (box in boxes) for (cell in cells(box)) counts[shape.index(*cell).toInt()]++
    }
