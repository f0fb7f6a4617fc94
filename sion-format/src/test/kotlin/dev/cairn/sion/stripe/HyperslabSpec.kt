package dev.cairn.sion.stripe

import dev.cairn.house.Campaign
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlin.random.Random

/** The parts of a hyperslab, against the list of its cells. */
class HyperslabSpec :
    FunSpec({
        fun longs(vararg numbers: Long) = numbers

        /** The cells in row-major order, as its definition says. */
        fun Hyperslab.cells(): List<List<Long>> =
            (0 until dimensionCount()).fold(listOf(emptyList())) { outer, dimension ->
                outer.flatMap { cell ->
                    (0 until count(dimension)).map { cell + (start(dimension) + it * stride(dimension)) }
                }
            }

        fun randomSlabs(test: (Hyperslab, Random) -> Unit) {
            val seed = Campaign.seed
            println("HyperslabSpec: seed $seed")
            val random = Random(seed)
            repeat(300) {
                val dimensions = random.nextInt(4)
                val slab =
                    Hyperslab.of(
                        LongArray(dimensions) { random.nextLong(10) },
                        LongArray(dimensions) { random.nextLong(1, 5) },
                        LongArray(dimensions) { random.nextLong(1, 4) },
                    )
                test(slab, random)
            }
        }

        test("its cells have the indices of their numbers") {
            randomSlabs { slab, _ ->
                List(slab.cellCount().toInt()) { slab.indices(it.toLong()).toList() } shouldBe slab.cells()
                slab.hasGaps() shouldBe
                    (0 until slab.dimensionCount()).any { slab.stride(it) > 1 && slab.count(it) > 1 }
            }
        }

        test("halves, runs and parts follow each other in the order of its cells") {
            randomSlabs { slab, random ->
                if (slab.cellCount() > 1) slab.halves().flatMap { it.cells() } shouldBe slab.cells()
                val runs = List((slab.cellCount() / slab.runLength()).toInt()) { slab.run(it.toLong()) }
                runs.flatMap { it.cells() } shouldBe slab.cells()
                runs.any { it.hasGaps() } shouldBe false
                if (slab.dimensionCount() > 0) {
                    val dimension = random.nextInt(slab.dimensionCount())
                    val parts = List(slab.count(dimension).toInt()) { slab.part(dimension, it.toLong(), 1) }
                    parts.flatMap { it.cells() }.toSet() shouldBe slab.cells().toSet()
                }
            }
        }

        test("a hull is the smallest box that has all cells of both") {
            randomSlabs { slab, random ->
                val other =
                    Hyperslab.of(
                        LongArray(slab.dimensionCount()) { random.nextLong(12) },
                        LongArray(slab.dimensionCount()) { random.nextLong(1, 3) },
                    )
                val hull = slab.hullWith(other)
                val all = slab.cells() + other.cells()
                for (dimension in 0 until hull.dimensionCount()) {
                    hull.start(dimension) shouldBe all.minOf { it[dimension] }
                    hull.last(dimension) shouldBe all.maxOf { it[dimension] }
                    hull.stride(dimension) shouldBe 1
                }
                slab.relativeTo(hull).cells() shouldBe
                    slab.cells().map { cell -> cell.mapIndexed { dimension, index -> index - hull.start(dimension) } }
            }
        }

        test("dimensions that it does not name are taken as a whole") {
            Hyperslab.WHOLE.within("v", 3, 4) shouldBe Hyperslab.of(longs(0, 0), longs(3, 4))
            Hyperslab.at(2).within("v", 3, 4) shouldBe Hyperslab.of(longs(2, 0), longs(1, 4))
            Hyperslab.range(1, 2).within("v", 3) shouldBe Hyperslab.of(longs(1), longs(2))
            Hyperslab.range(1, 2).within("v", 3, 0).isEmpty shouldBe true
        }

        test("what has no cells, or more than can be counted, is refused or empty") {
            Hyperslab.of(longs(5, 0), longs(0, Long.MAX_VALUE)).isEmpty shouldBe true
            val sentence =
                "; start and count are at least 0, a stride is at least 1, and no index nor number of cells exceeds 2^63 - 1."
            val large = 1L shl 40
            mapOf(
                { Hyperslab.of(longs(-1), longs(1)) } to "dimension 0 of a hyperslab has start -1, count 1, stride 1",
                { Hyperslab.of(longs(0), longs(-1)) } to "dimension 0 of a hyperslab has start 0, count -1, stride 1",
                { Hyperslab.of(longs(0), longs(1), longs(0)) } to
                    "dimension 0 of a hyperslab has start 0, count 1, stride 0",
                { Hyperslab.of(longs(1), longs(large), longs(large)) } to
                    "dimension 0 of a hyperslab has start 1, count $large, stride $large",
                { Hyperslab.of(longs(0, 0), longs(large, large)) } to
                    "dimension 1 of a hyperslab has start 0, count $large, stride 1",
            ).forEach { (attempt, beginning) ->
                shouldThrow<IllegalArgumentException> { attempt() }.message shouldBe beginning + sentence
            }
            shouldThrow<IllegalArgumentException> { Hyperslab.of(longs(0), longs(1, 1)) }.message shouldBe
                "a hyperslab has as many starts as counts and strides, not 1, 2 and 1."
        }
    })
