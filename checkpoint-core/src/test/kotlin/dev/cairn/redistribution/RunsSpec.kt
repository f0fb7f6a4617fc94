package dev.cairn.redistribution

import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.grid.cells
import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.sion.store.fixture.withRandom
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlin.random.Random

@Tags(JDK_DEPENDENT)
class RunsSpec :
    FunSpec({
        fun Runs.list() = buildList { forEach { here, there, count -> add(Triple(here, there, count)) } }

        test("rows are runs, and rows that follow each other on both sides are one") {
            val array = Image.of(Shape.of(4, 6).at(-1, -1))
            val owned = Shape.of(2, 4).box()
            Runs.of(owned, array, Image.of(owned)).list() shouldBe listOf(Triple(7L, 0L, 4), Triple(13L, 4L, 4))
            Runs.of(owned, Image(owned, 5), Image.of(owned)).list() shouldBe listOf(Triple(5L, 0L, 8))
        }

        test("no cells are no runs") {
            val none = Shape.of(2, 0).box()
            Runs.of(none, Image.of(none), Image.of(Shape.of(2, 2).box())).list() shouldBe emptyList()
        }

        test("cells that a side does not have are refused") {
            val box = Shape.of(3).box()
            shouldThrow<IllegalArgumentException> {
                Runs.of(
                    box,
                    Image.of(box),
                    Image.of(Shape.of(2).box()),
                )
            }.message shouldBe
                "the cells [0..3) are not all in both [0..3) and [0..2)."
        }

        test("any runs lead from each cell to the same cell, as few of them as there can be") {
            withRandom { random ->
                repeat(2000) {
                    val box = random.smallBox(random.nextInt(1, 7))
                    val here = random.imageAround(box)
                    val there = random.imageAround(box)
                    val expected = box.cells().map { here.positionOf(it) to there.positionOf(it) }
                    val runs = Runs.of(box, here, there).list()
                    runs.flatMap { (from, to, count) -> List(count) { from + it to to + it } } shouldBe expected
                    val breaks = expected.zipWithNext().count { (a, b) -> b != a.first + 1 to a.second + 1 }
                    if (box.extent(box.dimensions() - 1) > 1) runs.size shouldBe breaks + 1
                }
            }
        }
    })

private fun Image.positionOf(cell: List<Long>) = start() + box().index(*cell.toLongArray())

private fun Random.smallBox(dimensions: Int) =
    Box.of(LongArray(dimensions) { nextLong(-3, 3) }, LongArray(dimensions) { nextLong(1, 4) })

/** A box around [box], of which any side may be just as long. */
internal fun Random.imageAround(box: Box): Image {
    val before = LongArray(box.dimensions()) { nextLong(0, 2) }
    val after = LongArray(box.dimensions()) { nextLong(0, 2) }
    return Image(
        Box.of(
            LongArray(box.dimensions()) { box.start(it) - before[it] },
            LongArray(box.dimensions()) { before[it] + box.extent(it) + after[it] },
        ),
        nextLong(0, 3),
    )
}
