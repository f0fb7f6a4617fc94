package dev.cairn.sion.stripe

import dev.cairn.house.Campaign
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlin.random.Random

class RequestSplitSpec :
    FunSpec({
        fun LocalExtent.slices(): List<Extent> = buildList { forEachSlice(::add) }

        fun LocalExtent.show() = "${subFile()}: ${local()}+${length()}"

        test("a contiguous request has one local extent in each sub-file, gathered from its stripes") {
            val split = RequestSplit.of(Striping.of(1024, 4), Selection.of(2048, 10240))

            split.map(LocalExtent::show) shouldBe listOf("0: 1024+2048", "1: 1024+2048", "2: 0+3072", "3: 0+3072")
            split[2].slices() shouldBe listOf(Extent(0, 1024), Extent(4096, 1024), Extent(8192, 1024))
        }

        test("an extent that continues another one in its sub-file is part of it") {
            val rows = Selection.of(listOf(Extent(100, 28), Extent(512, 10)))
            val split = RequestSplit.of(Striping.of(128, 4), rows)

            split.map(LocalExtent::show) shouldBe listOf("0: 100+38")
            split.single().slices() shouldBe listOf(Extent(0, 38))
        }

        test("nothing is split into nothing") {
            RequestSplit.of(Striping.of(128, 4), Selection.of(7, 0)) shouldBe emptyList()
        }

        test("the largest request is split at once") {
            RequestSplit.of(Striping.of(1, 2), Selection.of(0, Long.MAX_VALUE)).map(LocalExtent::show) shouldBe
                listOf("0: 0+4611686018427387904", "1: 0+4611686018427387903")
        }

        test("every byte of any request goes to its place, from its place in memory") {
            val seed = Campaign.seed
            println("RequestSplitSpec: seed $seed")
            val random = Random(seed)
            repeat(500) {
                val layout = Striping.of(random.nextLong(1, 20), random.nextInt(1, 6))
                val extents = random.extents(500)
                val bytes = extents.flatMap { it.offset() until it.end() }
                val wanted =
                    bytes
                        .mapIndexed {
                            at,
                            x,
                            ->
                            Spot(layout.subFileOf(x), layout.localOf(x)) to at.toLong()
                        }.toMap()

                val split = RequestSplit.of(layout, Selection.of(extents))
                val found =
                    split.flatMap { extent ->
                        val memory = extent.slices().flatMap { it.offset() until it.end() }
                        memory.mapIndexed { at, position -> Spot(extent.subFile(), extent.local() + at) to position }
                    }
                found.size shouldBe wanted.size
                found.toMap() shouldBe wanted
                split.groupBy(LocalExtent::subFile).values.forEach { ofSubFile ->
                    ofSubFile.zipWithNext { one, next -> check(one.local() + one.length() < next.local()) }
                }
            }
        }

        test("a contiguous request never has two local extents in a sub-file") {
            val seed = Campaign.seed
            println("RequestSplitSpec, contiguous: seed $seed")
            val random = Random(seed)
            repeat(500) {
                val layout = Striping.of(random.nextLong(1, 1000), random.nextInt(1, 50))
                val selection = Selection.of(random.nextLong(1L shl 40), random.nextLong(1, 1L shl 40))
                val subFiles = RequestSplit.of(layout, selection).map(LocalExtent::subFile)
                subFiles shouldBe subFiles.distinct()
            }
        }

        test("extents that overlap or do not ascend are refused") {
            shouldThrow<IllegalArgumentException> {
                Selection.of(listOf(Extent(0, 10), Extent(9, 1)))
            }.message shouldBe
                "The extent at 9 begins before the end of the one in front of it, 10. " +
                "Sort the extents, and take bytes that belong to several of them once."
        }
    })
