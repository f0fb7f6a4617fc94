package dev.cairn.sion.layout

import dev.cairn.house.Campaign
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlin.random.Random

class LongIndexSpec :
    FunSpec({
        fun LongIndex.positions(value: Long): List<Int> {
            val chain = generateSequence(first(value)) { next(it) }
            return chain.takeWhile { it >= 0 }.toList()
        }

        test("all positions of a value are found in order, for any values") {
            val seed = Campaign.seed
            println("LongIndexSpec: seed $seed")
            val random = Random(seed)
            repeat(200) {
                val pool = LongArray(random.nextInt(1, 40)) { random.nextLong() shl random.nextInt(64) }
                val values = List(random.nextInt(300)) { pool.random(random) }
                val index = LongIndex(random.nextInt(10))
                values.forEach(index::add)
                index.count() shouldBe values.size
                pool.forEach { value ->
                    index.positions(value) shouldBe values.indices.filter { values[it] == value }
                }
            }
        }

        test("a value that was never added has no position") {
            LongIndex(0).first(5) shouldBe -1
        }
    })
