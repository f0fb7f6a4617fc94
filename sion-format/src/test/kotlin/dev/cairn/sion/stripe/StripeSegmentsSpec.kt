package dev.cairn.sion.stripe

import dev.cairn.house.Campaign
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlin.random.Random

class StripeSegmentsSpec :
    FunSpec({
        test("one segment is a striping") {
            val segments = StripeSegments.of(4, 1, listOf(StripeSegment(0, 1024, listOf(0, 1, 2, 3))))

            segments.pieces(512, 2048) shouldBe Striping.of(1024, 4).pieces(512, 2048)
            segments.lengthOf(0, 16448) shouldBe 4160
        }

        test("a file with more sub-files goes on behind what they hold, aligned") {
            val two = StripeSegments.of(2, 100, listOf(StripeSegment(0, 10, listOf(0, 1))))
            val three = two.with(3, StripeSegment(25, 20, listOf(0, 1, 2)))

            three.pieces(15, 60) shouldBe
                listOf(
                    Piece(15, 5, 1, 5),
                    Piece(20, 5, 0, 10),
                    Piece(25, 20, 0, 100),
                    Piece(45, 20, 1, 100),
                    Piece(65, 10, 2, 0),
                )
            three.lengthOf(0, 25) shouldBe 15
            three.lengthOf(0, 26) shouldBe 101
            shouldThrow<IllegalArgumentException> { three.offsetOf(0, 15) }.message shouldBe
                "Byte 15 of sub-file 0 belongs to no segment."
            three.piecesOf(0, 10, 95) shouldBe listOf(Piece(20, 5, 0, 10), Piece(25, 5, 0, 100))
        }

        test("a file with fewer sub-files leaves the others as they are") {
            val three = StripeSegments.of(3, 1, listOf(StripeSegment(0, 10, listOf(0, 1, 2))))
            val one = three.with(3, StripeSegment(30, 10, listOf(2)))

            one.pieces(25, 30) shouldBe listOf(Piece(25, 5, 2, 5), Piece(30, 25, 2, 10))
            LongArray(3) { one.lengthOf(it, 55) } shouldBe longArrayOf(10, 10, 35)
        }

        test("any bytes of any segments lie where the definition says") {
            val seed = Campaign.seed
            println("StripeSegmentsSpec: seed $seed")
            val random = Random(seed)
            repeat(500) {
                val subFileCount = random.nextInt(1, 6)
                val alignment = random.nextLong(1, 30)
                val begins = listOf(0L) + List(random.nextInt(4)) { random.nextLong(1, 300) }.distinct().sorted()
                val segments =
                    begins.map { begin ->
                        val used = (0 until subFileCount).shuffled(random).take(random.nextInt(1, subFileCount + 1))
                        StripeSegment(begin, random.nextLong(1, 20), used)
                    }
                val model = SegmentModel(subFileCount, alignment, segments)
                val layout = StripeSegments.of(subFileCount, alignment, segments)
                checkLayout(layout, random.nextLong(400), random, model::spot)
            }
        }

        test("an added segment moves no byte before it") {
            val seed = Campaign.seed
            println("StripeSegmentsSpec, added: seed $seed")
            val random = Random(seed)
            repeat(100) {
                val begin = random.nextLong(1, 300)
                val first = StripeSegments.of(3, 8, listOf(StripeSegment(0, random.nextLong(1, 20), listOf(2, 0, 1))))
                val more = first.with(5, StripeSegment(begin, random.nextLong(1, 20), listOf(4, 3, 2, 1, 0)))
                more.pieces(0, begin) shouldBe first.pieces(0, begin)
            }
        }

        test("positions behind 2^63 bytes are refused and never wrap") {
            val begin = Long.MAX_VALUE / 2
            val far = StripeSegment(begin, 1L shl 40, listOf(0))
            val layout = StripeSegments.of(1, 1L shl 62, listOf(StripeSegment(0, 1, listOf(0)), far))
            layout.pieces(begin, 1) shouldBe listOf(Piece(begin, 1, 0, 1L shl 62))
            layout.pieces(Long.MAX_VALUE - 1, 1).single().local shouldBe (1L shl 62) + Long.MAX_VALUE - 1 - begin
            shouldThrow<ArithmeticException> { layout.with(1, StripeSegment(Long.MAX_VALUE - 1, 1, listOf(0))) }
        }

        test("segments that no file can have are refused") {
            val first = StripeSegment(0, 10, listOf(0, 1))
            mapOf(
                { StripeSegments.of(2, 1, emptyList()) } to "The first segment of a layout begins at 0.",
                { StripeSegments.of(2, 1, listOf(StripeSegment(5, 10, listOf(0)))) } to
                    "The first segment of a layout begins at 0.",
                { StripeSegments.of(2, 1, listOf(first, first)) } to
                    "Segment 1 begins at 0, but must begin behind 0, where the one before it does.",
                { StripeSegments.of(1, 1, listOf(first)) } to "There is no sub-file 1 among 1, which count from 0.",
                { StripeSegments.of(2, 0, listOf(first)) } to
                    "2 sub-files with an alignment of 0 bytes; both must be at least 1.",
                { StripeSegments.of(2, 1, listOf(first)).with(1, StripeSegment(20, 10, listOf(0))) } to
                    "Of 2 sub-files 1 cannot be left: a segment that uses fewer names those it uses.",
            ).forEach { (attempt, sentence) ->
                shouldThrow<IllegalArgumentException> { attempt() }.message shouldBe
                    sentence
            }
            shouldThrow<IllegalArgumentException> { StripeSegment(7, 10, listOf(1, 1)) }.message shouldBe
                "The segment at 7 names a sub-file twice: [1, 1]."
        }
    })

/** The definition, byte by byte. */
private class SegmentModel(
    subFileCount: Int,
    alignment: Long,
    private val segments: List<StripeSegment>,
) {
    private val bases = mutableListOf(LongArray(subFileCount))

    init {
        segments.zipWithNext { segment, next ->
            val after = bases.last().copyOf()
            (segment.begin() until next.begin()).forEach { x ->
                val (subFile, local) = spot(x)
                after[subFile] = maxOf(after[subFile], local + 1)
            }
            bases += LongArray(after.size) { (after[it] + alignment - 1) / alignment * alignment }
        }
    }

    fun spot(x: Long): Spot {
        val number = segments.indices.last { it < bases.size && segments[it].begin() <= x }
        val segment = segments[number]
        val o = x - segment.begin()
        val stripe = o / segment.depth()
        val subFile = segment.subFiles()[(stripe % segment.subFiles().size).toInt()]
        return Spot(
            subFile,
            bases[number][subFile] + stripe / segment.subFiles().size * segment.depth() + o % segment.depth(),
        )
    }
}
