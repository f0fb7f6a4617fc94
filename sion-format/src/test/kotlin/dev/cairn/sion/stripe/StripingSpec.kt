package dev.cairn.sion.stripe

import dev.cairn.house.Campaign
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.math.BigInteger
import kotlin.random.Random

/** The worked examples are those of HDF5's request for comments on sub-files, and of real sets. */
class StripingSpec :
    FunSpec({
        val four = Striping.of(1024, 4)

        test("2048 bytes at 512") {
            four.pieces(512, 2048) shouldBe
                listOf(Piece(512, 512, 0, 512), Piece(1024, 1024, 1, 0), Piece(2048, 512, 2, 0))
        }

        test("1024 bytes at 3584") {
            four.pieces(3584, 1024) shouldBe listOf(Piece(3584, 512, 3, 512), Piece(4096, 512, 0, 1024))
        }

        test("16 bytes at 16432 of seven sub-files are the last ones of the fifth") {
            val seven = Striping.of(512, 7)
            seven.pieces(16432, 16) shouldBe listOf(Piece(16432, 16, 4, 2096))
            seven.lengthOf(4, 16448) shouldBe 2112
        }

        test("2500 bytes at 2999, a depth that is no power of two") {
            Striping.of(1000, 3).pieces(2999, 2500) shouldBe
                listOf(
                    Piece(2999, 1, 2, 999),
                    Piece(3000, 1000, 0, 1000),
                    Piece(4000, 1000, 1, 1000),
                    Piece(5000, 499, 2, 1000),
                )
        }

        test("10240 bytes at 2048 are one local extent in each sub-file") {
            four.pieces(2048, 10240).groupBy(Piece::subFile) { it.offset } shouldBe
                mapOf(
                    2 to listOf(2048L, 6144L, 10240L),
                    3 to listOf(3072L, 7168L, 11264L),
                    0 to listOf(4096L, 8192L),
                    1 to listOf(5120L, 9216L),
                )
            four.locals(2048, 10240) shouldBe
                listOf(Triple(2, 0L, 3072L), Triple(3, 0L, 3072L), Triple(0, 1024L, 2048L), Triple(1, 1024L, 2048L))
        }

        test("with one sub-file local offsets are the logical ones") {
            Striping.of(1000, 1).pieces(17, 123_456) shouldBe listOf(Piece(17, 123_456, 0, 17))
        }

        test("a logical end on the border of a row is not taken for the end of the next row") {
            four.logicalLength(1024, 1024, 0, 0) shouldBe 2048
            four.logicalLength(4160, 4096, 4096, 4096) shouldBe 16448
            four.logicalLength(0, 0, 0, 0) shouldBe 0
            four.logicalLength(0, 0, 1, 0) shouldBe 2049
        }

        test("any bytes of any striping lie where the definition says") {
            val seed = Campaign.seed
            println("StripingSpec: seed $seed")
            val random = Random(seed)
            repeat(500) {
                val depth = random.nextLong(1, 20)
                val width = random.nextInt(1, 9)
                checkLayout(Striping.of(depth, width), random.nextLong(400), random) { x ->
                    val stripe = x / depth
                    Spot((stripe % width).toInt(), stripe / width * depth + x % depth)
                }
            }
        }

        test("the lengths of sub-files add up, also of the largest files") {
            val seed = Campaign.seed
            println("StripingSpec, lengths: seed $seed")
            val random = Random(seed)
            repeat(500) {
                val depth = 1 + (random.nextLong() ushr random.nextInt(1, 63))
                val width = random.nextInt(1, 1 + minOf(50, Long.MAX_VALUE / depth).toInt())
                val length = Long.MAX_VALUE - (random.nextLong() ushr random.nextInt(1, 63))
                val lengths = LongArray(width) { Striping.of(depth, width).lengthOf(it, length) }

                lengths.fold(BigInteger.ZERO) { sum, each -> sum + each.toBigInteger() } shouldBe length.toBigInteger()
                Striping.of(depth, width).logicalLength(*lengths) shouldBe length
            }
        }

        test("the last byte of the largest file has its place, and nothing wraps") {
            val last = Long.MAX_VALUE - 1
            four.pieces(last, 1) shouldBe listOf(Piece(last, 1, 3, Long.MAX_VALUE / 4096 * 1024 + 1022))
            four.logicalOffsetOf(3, Long.MAX_VALUE / 4096 * 1024 + 1022) shouldBe last
            four.locals(0, Long.MAX_VALUE).sumOf { it.third } shouldBe Long.MAX_VALUE
            shouldThrow<ArithmeticException> { four.logicalOffsetOf(0, Long.MAX_VALUE / 2) }
            shouldThrow<ArithmeticException> { four.logicalLength(0, Long.MAX_VALUE, 0, 0) }
        }

        test("a long request costs no loop over its stripes") {
            Striping.of(1, 3).locals(1, Long.MAX_VALUE - 1).map { it.first } shouldBe listOf(1, 2, 0)
        }

        test("what is not within a file is refused") {
            shouldThrow<IllegalArgumentException> { four.pieces(-1, 1) }.message shouldBe
                "1 bytes at -1 are not within the 2^63 - 1 bytes of a file."
            shouldThrow<IllegalArgumentException> { four.pieces(Long.MAX_VALUE, 1) }
            shouldThrow<IllegalArgumentException> { four.locals(1, -1) }
            shouldThrow<IllegalArgumentException> { four.subFileOf(-1) }
            shouldThrow<IllegalArgumentException> { four.localOf(-1) }
            shouldThrow<IllegalArgumentException> { four.lengthOf(0, -1) }
            shouldThrow<IllegalArgumentException> { four.lengthOf(4, 1) }.message shouldBe
                "There is no sub-file 4 among 4, which count from 0."
            shouldThrow<IllegalArgumentException> { four.logicalLength(1, 2) }.message shouldBe
                "2 lengths were given for 4 sub-files."
        }

        test("a striping without stripes, or with rows that no file can hold, is refused") {
            shouldThrow<IllegalArgumentException> { Striping.of(0, 4) }.message shouldBe
                "A stripe of 0 bytes over 4 sub-files; both must be at least 1."
            shouldThrow<IllegalArgumentException> { Striping.of(1, 0) }
            shouldThrow<IllegalArgumentException> { Striping.of(Long.MAX_VALUE, 2) }
        }
    })
