package dev.cairn.redistribution

import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.grid.cells
import dev.cairn.grid.shape
import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.sion.store.fixture.withRandom
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveAtMostSize
import io.kotest.matchers.shouldBe

@Tags(JDK_DEPENDENT)
class ImageSpec :
    FunSpec({
        test("a run that begins and ends in mid-row is the end of a row, whole rows and the start of one") {
            val image = Image(Shape.of(4, 5).at(10, 20), 100)
            image.between(103, 116).map { "${it.start()}: ${it.box()}" } shouldBe
                listOf("0: [10..11)x[23..25)", "2: [11..13)x[20..25)", "12: [13..14)x[20..21)")
        }

        test("what lies outside of the image is not in it") {
            val image = Image(Shape.of(2, 2).box(), 100)
            image.between(0, 100) shouldBe emptyList()
            image.between(104, 200) shouldBe emptyList()
            image.between(0, 200) shouldBe listOf(Image(image.box(), 100))
            Image.of(Shape.of(3, 0).box()).between(0, 9) shouldBe emptyList()
        }

        test("any window holds the cells that counting finds there, in few boxes") {
            withRandom { random ->
                repeat(2000) {
                    val shape = random.shape(80)
                    val box = Box.of(LongArray(shape.dimensions()) { random.nextLong(-3, 4) }, shape.extents())
                    val image = Image(box, random.nextLong(5))
                    val from = random.nextLong(90)
                    val to = from + random.nextLong(90)
                    val parts = image.between(from, to)
                    val found =
                        parts.flatMap { part ->
                            part.box().cells().mapIndexed { k, cell ->
                                part.start() + k to
                                    cell
                            }
                        }
                    found shouldBe
                        box
                            .cells()
                            .mapIndexed { k, cell -> image.start() + k - from to cell }
                            .filter { it.first in 0 until to - from }
                    parts shouldHaveAtMostSize 2 * box.dimensions() - 1
                }
            }
        }
    })

internal fun Shape.extents() = LongArray(dimensions(), ::extent)
