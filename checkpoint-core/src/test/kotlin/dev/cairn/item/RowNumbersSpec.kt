package dev.cairn.item

import dev.cairn.sion.store.fixture.withRandom
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeNegative
import io.kotest.matchers.shouldBe

class RowNumbersSpec :
    FunSpec({
        val counts = (0..70) + listOf(349_525, 349_526)

        test("each of any number of rows has its number, and another equal object has none") {
            for (count in counts) {
                val rows = Array<Any?>(count) { "row $it".toCharArray() }
                val numbers = RowNumbers(rows)
                rows.indices.all { numbers.of(rows[it]!!) == it } shouldBe true
                numbers.of("row 0".toCharArray()).shouldBeNegative()
            }
        }

        test("a row that is there twice has its first number, and null has none") {
            val (one, other) = Any() to Any()
            val numbers = RowNumbers(arrayOf(null, one, other, one, null))
            listOf(one, other).map(numbers::of) shouldBe listOf(1, 2)
        }

        test("each of any number of ids has its number, and another id has none") {
            withRandom { random ->
                for (count in counts) {
                    val ids = LongArray(count) { random.nextInt().toLong() * 2 }.distinct().toLongArray()
                    val numbers = RowIds(ids)
                    ids.indices.all { numbers.of(ids[it]) == it } shouldBe true
                    numbers.of(random.nextInt() * 2L + 1).shouldBeNegative()
                }
            }
        }

        test("what was found of rows stands for the very same rows alone") {
            val rows = mutableListOf(Any(), Any())
            val present = PresentRows(rows, null)
            present.isOf(rows.toTypedArray()) shouldBe true
            rows[1] = Any()
            present.isOf(rows.toTypedArray()) shouldBe false
        }
    })
