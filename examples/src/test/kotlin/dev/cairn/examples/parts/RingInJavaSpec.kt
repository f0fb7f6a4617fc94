package dev.cairn.examples.parts

import dev.cairn.java.BlockingRanks
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

class RingInJavaSpec :
    FunSpec({
        test("the ends of the ring are neighbours") {
            BlockingRanks.run(3) { ranks ->
                val sums = listOf(listOf(9.0, 2.0, 4.0), listOf(6.0, 8.0, 10.0), listOf(12.0, 14.0, 7.0))
                RingInJava.step(ranks, 9).toList() shouldBe sums[(ranks.rank + 2) % 3]
            }
        }
    })
