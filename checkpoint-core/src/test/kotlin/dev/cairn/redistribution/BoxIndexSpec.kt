package dev.cairn.redistribution

import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.sion.store.fixture.withRandom
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlin.random.Random

class BoxIndexSpec :
    FunSpec({
        fun Random.box(dimensions: Int) =
            Box.of(LongArray(dimensions) { nextLong(0, 30) }, LongArray(dimensions) { nextLong(1, 9) })

        test("the boxes found are those that looking at each finds, also where many overlap") {
            withRandom { random ->
                repeat(300) {
                    val dimensions = random.nextInt(1, 5)
                    val few = List(4) { random.box(dimensions) }
                    val boxes =
                        List(random.nextInt(60)) {
                            val isOneOfFew = random.nextInt(4) == 0
                            if (isOneOfFew) few.random(random) else random.box(dimensions)
                        }
                    val index = BoxIndex(boxes.toTypedArray())
                    repeat(20) {
                        val area = random.box(dimensions)
                        index.sharing(area).toList() shouldBe boxes.indices.filter { boxes[it].intersects(area) }
                    }
                }
            }
        }

        test("an empty area shares cells with no box") {
            val boxes = Decomposition.rows(Shape.of(9, 9), 9).boxes().flatten()
            BoxIndex(boxes.toTypedArray()).sharing(Shape.of(0, 9).at(3, 0)).toList() shouldBe emptyList()
        }
    })
