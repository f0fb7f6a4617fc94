package dev.cairn.sion.stripe

import dev.cairn.house.Campaign
import dev.cairn.sion.stripe.PagePlacement.Closeness.REMOTE
import dev.cairn.sion.stripe.PagePlacement.Closeness.SAME_NODE
import dev.cairn.sion.stripe.PagePlacement.Closeness.SAME_PROCESS
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import kotlin.random.Random

class PageTableSpec :
    FunSpec({
        test("four ranks on two nodes with a concentrator each place four pages") {
            val placement =
                PagePlacement.by { rank, subFile ->
                    if (rank == 2 * subFile) {
                        SAME_PROCESS
                    } else if (rank / 2 == subFile) {
                        SAME_NODE
                    } else {
                        REMOTE
                    }
                }
            val empty = PageTable.empty(100, 2)
            val requests = listOf(0L to 150L, 150L to 100L, 250L to 100L, 350L to 50L)
            val demands =
                requests.flatMapIndexed {
                    rank,
                    (offset, length),
                    ->
                    PagePlacement.Demand.of(empty, rank, Selection.of(offset, length))
                }

            demands shouldBe
                listOf(
                    PagePlacement.Demand(0, 0, 100),
                    PagePlacement.Demand(1, 0, 50),
                    PagePlacement.Demand(1, 1, 50),
                    PagePlacement.Demand(2, 1, 50),
                    PagePlacement.Demand(2, 2, 50),
                    PagePlacement.Demand(3, 2, 50),
                    PagePlacement.Demand(3, 3, 50),
                )
            placement.place(empty, demands).runs() shouldBe listOf(PageTable.Run(0, 2, 0, 0), PageTable.Run(2, 2, 1, 0))
        }

        test("among equal scores the sub-file with the fewest pages wins, then the lowest number") {
            val anywhere = PagePlacement.by { _, _ -> REMOTE }
            val table = anywhere.place(PageTable.empty(10, 3), List(7) { PagePlacement.Demand(it.toLong(), 0, 10) })

            table.runs().map(PageTable.Run::subFile) shouldBe listOf(0, 1, 2, 0, 1, 2, 0)
            table.runs().map(PageTable.Run::slot) shouldBe listOf(0L, 0L, 0L, 1L, 1L, 1L, 2L)
        }

        test("a page that has a place keeps it") {
            val toZero = PagePlacement.by { _, subFile -> if (subFile == 0) SAME_NODE else REMOTE }
            val toOne = PagePlacement.by { _, subFile -> if (subFile == 1) SAME_NODE else REMOTE }
            val first = toZero.place(PageTable.empty(10, 2), listOf(PagePlacement.Demand(5, 0, 1)))

            PagePlacement.Demand.of(first, 0, Selection.of(45, 20)) shouldBe
                listOf(PagePlacement.Demand(4, 0, 5), PagePlacement.Demand(6, 0, 5))
            toOne.place(first, listOf(PagePlacement.Demand(5, 0, 1), PagePlacement.Demand(4, 0, 1))).runs() shouldBe
                listOf(PageTable.Run(4, 1, 1, 0), PageTable.Run(5, 1, 0, 0))
        }

        test("several extents of a rank in a page are one demand") {
            val extents = listOf(Extent(0, 3), Extent(5, 2), Extent(9, 3))
            PagePlacement.Demand.of(PageTable.empty(10, 1), 4, Selection.of(extents)) shouldBe
                listOf(PagePlacement.Demand(0, 4, 6), PagePlacement.Demand(1, 4, 2))
        }

        test("the order in which demands arrive does not matter, and the places are those of the definition") {
            val seed = Campaign.seed
            println("PageTableSpec: seed $seed")
            val random = Random(seed)
            repeat(300) {
                val subFiles = random.nextInt(1, 5)
                val near = List(5) { List(subFiles) { PagePlacement.Closeness.entries.random(random) } }
                val placement = PagePlacement.by { rank, subFile -> near[rank][subFile] }
                val calls = List(random.nextInt(1, 4)) { random.demands() }

                val table =
                    calls.fold(
                        PageTable.empty(10, subFiles),
                    ) { table, demands -> placement.place(table, demands) }
                val shuffled =
                    calls.fold(PageTable.empty(10, subFiles)) { table, demands ->
                        placement.place(table, demands.shuffled(random))
                    }
                val places = placesByDefinition(calls, near, subFiles)

                table.places() shouldBe places
                shuffled.checksum() shouldBe table.checksum()
                PageTable.of(10, subFiles, table.runs()).checksum() shouldBe table.checksum()
                table.runs().zipWithNext { one, next -> check(!next.continues(one)) { "$one and $next are one run" } }
            }
        }

        test("any bytes of placed pages lie in their slots") {
            val seed = Campaign.seed
            println("PageTableSpec, bytes: seed $seed")
            val random = Random(seed)
            repeat(300) {
                val pageSize = random.nextLong(1, 12)
                val subFiles = random.nextInt(1, 5)
                val next = LongArray(subFiles)
                val places = mutableMapOf<Long, Spot>()
                (0L until 30).shuffled(random).forEach { page ->
                    val subFile = random.nextInt(subFiles)
                    places[page] = Spot(subFile, next[subFile]++)
                }
                val runs = places.toSortedMap().map { (page, spot) -> PageTable.Run(page, 1, spot.subFile, spot.local) }
                checkLayout(PageTable.of(pageSize, subFiles, runs), random.nextLong(30 * pageSize), random) { x ->
                    val (subFile, slot) = places.getValue(x / pageSize)
                    Spot(subFile, slot * pageSize + x % pageSize)
                }
            }
        }

        test("pages without a place lie nowhere, and then nothing of a request is handed over") {
            val table = PageTable.of(10, 1, listOf(PageTable.Run(0, 2, 0, 0), PageTable.Run(3, 1, 0, 2)))

            listOf(0L, 2L, 3L, 4L).map(table::holds) shouldBe listOf(true, false, true, false)
            var seen = 0
            shouldThrow<IllegalArgumentException> { table.forEachRun(5, 20) { _, _, _, _ -> seen++ } }.message shouldBe
                "Page 2 has no place yet: place it with all ranks before it is used."
            seen shouldBe 0
            table.pieces(30, 10) shouldBe listOf(Piece(30, 10, 0, 20))
            shouldThrow<IllegalArgumentException> { table.logicalOffsetOf(0, 30) }.message shouldBe
                "Byte 30 of sub-file 0 is in no page."
        }

        test("the checksum tells tables apart") {
            val table = PageTable.of(10, 2, listOf(PageTable.Run(0, 2, 0, 0), PageTable.Run(3, 1, 1, 0)))
            table.checksum() shouldBe
                PageTable
                    .of(
                        10,
                        2,
                        listOf(PageTable.Run(0, 1, 0, 0), PageTable.Run(1, 1, 0, 1), PageTable.Run(3, 1, 1, 0)),
                    ).checksum()
            listOf(
                PageTable.of(11, 2, table.runs()),
                PageTable.of(10, 3, table.runs()),
                PageTable.of(10, 2, listOf(PageTable.Run(0, 2, 0, 0), PageTable.Run(4, 1, 1, 0))),
                PageTable.of(10, 2, listOf(PageTable.Run(0, 2, 0, 0), PageTable.Run(3, 1, 0, 2))),
            ).forEach { it.checksum() shouldNotBe table.checksum() }
        }

        test("tables that no placement makes are refused") {
            mapOf(
                listOf(PageTable.Run(0, 2, 0, 0), PageTable.Run(1, 1, 0, 2)) to
                    "The run of 1 pages from page 1 on is out of order, overlaps another one, " +
                    "or reaches behind 2^63 - 1 bytes.",
                listOf(PageTable.Run(0, 2, 0, 0), PageTable.Run(2, 1, 0, 1)) to
                    "In sub-file 0 slot 2 should be the next one, but page 2 has slot 1.",
                listOf(PageTable.Run(0, 2, 0, 1)) to
                    "In sub-file 0 slot 0 should be the next one, but page 0 has slot 1.",
                listOf(PageTable.Run(0, 2, 2, 0)) to "There is no sub-file 2 among 2, which count from 0.",
                listOf(PageTable.Run(0, Long.MAX_VALUE, 0, 0)) to
                    "The run of 9223372036854775807 pages from page 0 on is out of order, overlaps another one, " +
                    "or reaches behind 2^63 - 1 bytes.",
            ).forEach { (runs, sentence) ->
                shouldThrow<IllegalArgumentException> { PageTable.of(10, 2, runs) }.message shouldBe sentence
            }
        }
    })

private fun Random.demands(): List<PagePlacement.Demand> =
    (0 until 20)
        .flatMap { page -> (0 until 5).map { rank -> page to rank } }
        .filter { nextInt(6) == 0 }
        .map { (page, rank) -> PagePlacement.Demand(page.toLong(), rank, nextLong(1, 11)) }
        .shuffled(this)

private fun PageTable.places(): Map<Long, Spot> =
    runs()
        .flatMap { run -> (0 until run.count()).map { run.page() + it to Spot(run.subFile(), run.slot() + it) } }
        .toMap()

private fun placesByDefinition(
    calls: List<List<PagePlacement.Demand>>,
    near: List<List<PagePlacement.Closeness>>,
    subFiles: Int,
): Map<Long, Spot> {
    val places = mutableMapOf<Long, Spot>()
    val weights = mapOf(SAME_PROCESS to 3, SAME_NODE to 2, PagePlacement.Closeness.SAME_GROUP to 1, REMOTE to 0)
    for (demands in calls) {
        for ((page, ofPage) in demands.groupBy(PagePlacement.Demand::page).toSortedMap()) {
            if (page in places) continue
            val counts = (0 until subFiles).map { sub -> places.values.count { it.subFile == sub } }
            val scores =
                (0 until subFiles).map { sub ->
                    ofPage.sumOf {
                        it.bytes() *
                            weights.getValue(near[it.rank()][sub])
                    }
                }
            val best = (0 until subFiles).sortedWith(compareBy({ -scores[it] }, { counts[it] }, { it })).first()
            places[page] = Spot(best, counts[best].toLong())
        }
    }
    return places
}
