package dev.cairn.sion.stripe

import dev.cairn.house.Campaign
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlin.random.Random

class SelectionSpec :
    FunSpec({
        fun Selection.bytes(): List<Long> = flatMap { it.offset() until it.end() }

        /** The selection is these bytes, in as few extents as there can be. */
        fun Selection.shouldBeBytes(expected: Iterable<Long>) {
            bytes() shouldBe expected.toSortedSet().toList()
            forEach { check(it.length() > 0) { "an empty extent at ${it.offset()}" } }
            zipWithNext { one, next -> check(one.end() < next.offset()) { "$one and $next are one" } }
        }

        fun longs(vararg numbers: Long) = numbers

        fun StoredArray.box(start: LongArray, count: LongArray) = hyperslab(Hyperslab.of(start, count))

        test("rows of a box become one extent where they are complete") {
            val array = StoredArray.of(1000, 8, 4, 5, 6)

            array.box(longs(1, 2, 0), longs(1, 2, 6)).toList() shouldBe
                listOf(Extent(1000 + 8 * (30 + 12), 8 * 12))
            array.box(longs(1, 0, 0), longs(2, 5, 6)).toList() shouldBe listOf(Extent(1000 + 8 * 30, 8 * 60))
            array.box(longs(0, 0, 0), longs(4, 5, 6)).toList() shouldBe listOf(Extent(1000, 8 * 120))
            array.box(longs(0, 1, 0), longs(2, 3, 6)).toList() shouldBe
                listOf(Extent(1000 + 8 * 6, 8 * 18), Extent(1000 + 8 * 36, 8 * 18))
            array.box(longs(1, 1, 1), longs(0, 3, 2)).toList() shouldBe emptyList()
        }

        test("any hyperslab of any array has the bytes that its definition says") {
            val seed = Campaign.seed
            println("SelectionSpec: seed $seed")
            val random = Random(seed)
            repeat(500) {
                val shape = LongArray(random.nextInt(1, 5)) { random.nextLong(1, 7) }
                val cellSize = random.nextLong(1, 9)
                val offset = random.nextLong(100)
                val stride = LongArray(shape.size) { random.nextLong(1, 4) }
                val start = LongArray(shape.size) { random.nextLong(shape[it]) }
                val count = LongArray(shape.size) { random.nextLong((shape[it] - start[it] - 1) / stride[it] + 2) }

                val taken = { dimension: Int ->
                    (0 until count[dimension]).map { start[dimension] + it * stride[dimension] }
                }
                val cells =
                    shape.indices.fold(listOf(0L)) { outer, dimension ->
                        outer.flatMap { cell -> taken(dimension).map { cell * shape[dimension] + it } }
                    }
                val bytes = cells.flatMap { cell -> (0 until cellSize).map { offset + cell * cellSize + it } }
                StoredArray
                    .of(
                        offset,
                        cellSize,
                        *shape,
                    ).hyperslab(Hyperslab.of(start, count, stride))
                    .shouldBeBytes(bytes)
            }
        }

        test("any hyperslab of any array in records has the bytes that its definition says") {
            val seed = Campaign.seed
            println("SelectionSpec, records: seed $seed")
            val random = Random(seed)
            repeat(500) {
                val shape = LongArray(random.nextInt(2, 5)) { random.nextLong(1, 5) }
                val cellSize = random.nextLong(1, 5)
                val part = shape.drop(1).fold(cellSize, Long::times)
                val distance = part + random.nextLong(4)
                val start = LongArray(shape.size) { random.nextLong(shape[it]) }
                val stride = LongArray(shape.size) { random.nextLong(1, 3) }
                val count = LongArray(shape.size) { 1 + random.nextLong((shape[it] - start[it] - 1) / stride[it] + 1) }

                val cells =
                    shape.indices.fold(listOf(listOf<Long>())) { outer, dimension ->
                        outer.flatMap { cell ->
                            (0 until count[dimension]).map { cell + (start[dimension] + it * stride[dimension]) }
                        }
                    }
                val bytes =
                    cells.flatMap { cell ->
                        val inPart =
                            (1 until shape.size).fold(0L) { number, dimension ->
                                number * shape[dimension] +
                                    cell[dimension]
                            }
                        val first = 100 + cell[0] * distance + inPart * cellSize
                        first until first + cellSize
                    }
                val array = StoredArray.ofRecords(100, cellSize, distance, *shape)
                array.hyperslab(Hyperslab.of(start, count, stride)).shouldBeBytes(bytes)
            }
        }

        test("an array without cells has empty selections") {
            for (shape in listOf(longs(0, 3, 2), longs(3, 0, 2), longs(3, 2, 0))) {
                StoredArray.of(100, 8, *shape).box(longs(0, 0, 0), shape).toList() shouldBe emptyList()
            }
        }

        test("a union has every byte once, of however many selections") {
            val seed = Campaign.seed
            println("SelectionSpec, unions: seed $seed")
            val random = Random(seed)
            repeat(500) {
                val selections = List(random.nextInt(5)) { Selection.of(random.extents(100)) }
                Selection.union(selections).shouldBeBytes(selections.flatMap { it.bytes() })
            }
        }

        test("a selection of more extents than memory could hold begins at once") {
            val side = 1L shl 29
            val column = StoredArray.of(0, 8, side, side).box(longs(0, 5), longs(side, 1))
            column.first() shouldBe Extent(40, 8)
            column
                .iterator()
                .asSequence()
                .drop(1000)
                .first() shouldBe Extent(40 + 1000 * 8 * side, 8)
        }

        test("what is not in the array is refused") {
            val array = StoredArray.of(0, 8, 4, 5)
            mapOf(
                { array.box(longs(0, 3), longs(4, 3)) } to
                    "the array has 5 indices in dimension 1, but the hyperslab has 3 from 3 on, 1 apart.",
                { array.hyperslab(Hyperslab.of(longs(0, 0), longs(1, 3), longs(1, 3))) } to
                    "the array has 5 indices in dimension 1, but the hyperslab has 3 from 0 on, 3 apart.",
                { array.box(longs(5, 0), longs(0, 1)) } to
                    "the array has 4 indices in dimension 0, but the hyperslab has 0 from 5 on, 1 apart.",
                { array.box(longs(0, 0, 0), longs(1, 1, 1)) } to
                    "the array has 2 dimensions, but the hyperslab names 3.",
            ).forEach { (attempt, sentence) ->
                shouldThrow<IllegalArgumentException> { attempt() }.message shouldBe
                    sentence
            }
        }

        test("an array that no file can hold is refused") {
            shouldThrow<IllegalArgumentException> { StoredArray.of(0, 8, 1L shl 31, 1L shl 31) }
            shouldThrow<IllegalArgumentException> { StoredArray.of(Long.MAX_VALUE - 10, 8, 2) }
            shouldThrow<IllegalArgumentException> { StoredArray.of(0, 0, 2) }
            shouldThrow<IllegalArgumentException> { StoredArray.ofRecords(0, 1, 1L shl 62, 3, 1) }
        }

        test("an array in records whose parts overlap, or are none, is refused") {
            shouldThrow<IllegalArgumentException> { StoredArray.ofRecords(0, 4, 7, 3, 2) }.message shouldBe
                "Parts of 8 bytes overlap in records that are 7 bytes apart."
            shouldThrow<IllegalArgumentException> { StoredArray.ofRecords(0, 4, 8, 3) }.message shouldBe
                "A part of a record has at least one dimension: give one of length 1 to a single cell."
        }
    })
