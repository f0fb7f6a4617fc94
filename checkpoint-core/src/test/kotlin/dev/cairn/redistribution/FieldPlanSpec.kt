package dev.cairn.redistribution

import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.grid.shape
import dev.cairn.grid.tiling
import dev.cairn.sion.store.fixture.withRandom
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import kotlin.random.Random

class FieldPlanSpec :
    FunSpec({
        test("rows become columns: every frame is read by one rank, and all read nearly the same") {
            val shape = Shape.of(64, 40)
            val rows = Decomposition.rows(shape, 8).boxes()
            val columns = Decomposition.grid(shape, 1, 5).boxes()
            val rehearsal = Rehearsal(shape, rows, columns, elementSize = 8, frameSize = 8 * 10)
            rehearsal.run()
            rehearsal.bytesRead.sum() shouldBe 64 * 40 * 8
            rehearsal.bytesRead.forEach { it shouldBeInRange 64L * 8 * 7..64L * 8 * 9 }
        }

        test("ranks that share every frame share the reading, though one of them wants a little more") {
            val shape = Shape.of(1000, 7)
            val whole = listOf(listOf(shape.box()))
            val halves = Decomposition.cuts(shape, longArrayOf(), longArrayOf(4)).boxes()
            val rehearsal = Rehearsal(shape, whole, halves, elementSize = 1, frameSize = 35)
            rehearsal.run()
            rehearsal.bytesRead.forEach { it shouldBeInRange 2800L..4200L }
        }

        test("ranks that request the boxes that they stored send nothing to others") {
            withRandom { random ->
                repeat(100) {
                    val shape = random.shape(300)
                    val boxes = random.tiling(shape, random.nextInt(1, 17))
                    val rehearsal = Rehearsal(shape, boxes, boxes, 4, 4 * random.nextInt(1, 50))
                    rehearsal.run()
                    rehearsal.bytesSent shouldBe 0
                    rehearsal.bytesRead.toList() shouldBe boxes.map { held -> 4 * held.sumOf { it.cellCount() } }
                }
            }
        }

        test("any tiling comes back as any other, for all counts of ranks from 1 to 16") {
            withRandom { random ->
                for (writers in 1..16) {
                    for (readers in 1..16) {
                        val shape = random.shape(200)
                        rehearse(random, shape, random.tiling(shape, writers), random.tiling(shape, readers))
                    }
                }
            }
        }

        test("requests may leave cells out and overlap, within a rank too") {
            withRandom { random ->
                repeat(300) {
                    val shape = random.shape(150)
                    val wishes =
                        List(random.nextInt(1, 9)) {
                            List(random.nextInt(3)) { random.boxIn(shape) }
                        }
                    rehearse(random, shape, random.tiling(shape, random.nextInt(1, 9)), wishes)
                }
            }
        }

        test("a thousand ranks become seven, and seven a thousand") {
            withRandom { random ->
                val shape = Shape.of(20, 30, 25)
                val many = random.tiling(shape, 1000, 1500)
                val few = Decomposition.blocks(shape, 7).boxes()
                rehearse(random, shape, many, few)
                rehearse(random, shape, few, many)
            }
        }

        test("a plan of nothing has no frames") {
            val empty = Shape.of(0, 5)
            Rehearsal(empty, listOf(listOf(empty.box())), List(3) { emptyList() }, 8, 80).run()
            Rehearsal(Shape.of(5), listOf(listOf(Shape.of(5).box())), listOf(emptyList()), 8, 80).run()
        }

        test("frames that hold no whole number of elements are refused") {
            val boxes = Distribution.of(listOf(listOf(Shape.of(5).box())))
            shouldThrow<IllegalArgumentException> { FieldPlan.of(boxes, boxes, 8, 100) }.message shouldBe
                "a frame of 100 bytes does not hold a whole number of elements of 8 bytes."
            shouldThrow<IllegalArgumentException> { FieldPlan.of(boxes, boxes, 8, 0) }.message shouldBe
                "a frame of 0 bytes does not hold a whole number of elements of 8 bytes."
        }

        test("boxes of different dimensions are refused") {
            val square = listOf(Shape.of(5, 5).box())
            val line = listOf(Shape.of(5).at(5))
            shouldThrow<IllegalArgumentException> {
                Distribution.of(
                    listOf(square, emptyList(), line),
                )
            }.message shouldBe
                "the box [5..10) of rank 2 has 1 dimensions, but the box [0..5)x[0..5) of rank 0 has 2."
        }

        test("10,000 ranks plan the way to 10,000 others") {
            val shape = Shape.of(1000, 1000, 1000)
            val blocks = Decomposition.grid(shape, 25, 20, 20).boxes()
            val others = Decomposition.grid(shape, 20, 20, 25).boxes()
            val plan = FieldPlan.of(Distribution.of(blocks), Distribution.of(others), 8, 1 shl 20)
            val frames = (0 until 10_000).flatMap { plan.share(it).reads().toList() }
            frames.size shouldBe 10_000
            frames.sumOf { frame -> plan.frame(frame).pieces().sumOf { it.cells().cellCount() } } shouldBe
                shape.cellCount()
        }
    })

private fun rehearse(random: Random, shape: Shape, stored: List<List<Box>>, wanted: List<List<Box>>) {
    val elementSize = listOf(1, 2, 4, 8).random(random)
    val frameSize = elementSize * listOf(1, random.nextInt(1, 10), random.nextInt(1, 400)).random(random)
    withClue("$shape from $stored to $wanted, elements of $elementSize bytes in frames of $frameSize") {
        Rehearsal(shape, stored, wanted, elementSize, frameSize).run()
    }
}

private fun Random.boxIn(shape: Shape): Box {
    val start = LongArray(shape.dimensions()) { nextLong(shape.extent(it)) }
    return Box.of(start, LongArray(shape.dimensions()) { nextLong(shape.extent(it) - start[it] + 1) })
}
