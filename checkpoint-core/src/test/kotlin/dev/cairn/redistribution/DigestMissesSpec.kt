package dev.cairn.redistribution

import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.sion.store.fixture.withRandom
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeUnique
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import java.math.BigInteger
import java.nio.ByteBuffer

private const val SIGN = Long.MIN_VALUE
private val PRODUCTS = DigestFormula.PRODUCTS

/** What one cell contributes. */
private fun cell(number: Long, bits: Long) = PRODUCTS.digest { add(longArrayOf(bits), 0, 1, number) }

private fun field(cells: LongArray) = PRODUCTS.digest { add(cells, 0, cells.size, 0) }

/** What a change of one cell does to the digest: two changes go unnoticed together if one is the other's negative. */
private fun change(number: Long, from: Long, to: Long): CellDigest = cell(number, to).minus(cell(number, from))

private fun CellDigest.minus(other: CellDigest) = plus(other.negated())

private fun CellDigest.negated() = CellDigest(-first, -second)

/** That no two of these changes cancel each other, and that none does nothing. */
private fun requireNoPairCancels(changes: List<CellDigest>) {
    val known = HashSet<CellDigest>()
    for (each in changes) {
        each shouldNotBe CellDigest.NONE
        known.contains(each.negated()) shouldBe false
        known += each
    }
}

/** What docs/decisions/0029-digest-of-half-products.md says of the digest of format 2, case by case. */
@Tags(JDK_DEPENDENT)
class DigestMissesSpec :
    FunSpec({
        val someValues = listOf(0L, 1L, -1L, SIGN, 1.0.toRawBits(), 0.1.toRawBits(), Double.NaN.toRawBits())
        val someNumbers = (0L until 1100L) + (1L shl 32) + (1L shl 40) + (1L shl 62)

        test("every change of one bit of one cell shows") {
            for (number in someNumbers.filter { it % 7 == 0L }) {
                for (value in someValues) {
                    val all = (0 until 64).map { cell(number, value xor (1L shl it)) } + cell(number, value)
                    all.shouldBeUnique()
                }
            }
        }

        test("no two sign flips cancel, whether in a line, in a place, or anywhere") {
            for (value in someValues) {
                requireNoPairCancels((0L until 1024L).map { change(it, value, value xor SIGN) })
                requireNoPairCancels((0L until 1024L).map { change(it * 512 + 5, value, value xor SIGN) })
            }
            withRandom { random ->
                val cells =
                    List(
                        20_000,
                    ) { random.nextLong(1L shl 40) to random.nextDouble().toRawBits() }.distinctBy { it.first }
                requireNoPairCancels(cells.map { (number, value) -> change(number, value, value xor SIGN) })
            }
        }

        test("no two equal flips of any bit cancel, whether up or down") {
            for (bit in 0 until 64) {
                val flip = 1L shl bit
                requireNoPairCancels((0L until 600L).map { change(it, 0, flip) })
                requireNoPairCancels(
                    (0L until 600L).map {
                        change(
                            it * 512,
                            if (it % 2 ==
                                0L
                            ) {
                                0
                            } else {
                                flip
                            },
                            if (it % 2 == 0L) flip else 0,
                        )
                    },
                )
            }
        }

        test("two cells that exchange their values show, however near or far they are") {
            for ((a, b) in listOf(
                0L to 1L,
                1.0.toRawBits() to 2.0.toRawBits(),
                0L to SIGN,
                0.1.toRawBits() to 0.3.toRawBits(),
            )) {
                // A swap is a change up in one cell and down in the other.
                val changes =
                    (0L until 1024L).map { change(it, a, b) } + (2L until 1024L).map { change(it * 512, a, b) }
                changes.shouldBeUnique()
            }
        }

        test("a field that moves by a cell, by a row, or by a line shows") {
            for (values in listOf(
                LongArray(4096) { it / 512L },
                LongArray(4096) { (it % 64).toDouble().toRawBits() },
            )) {
                for (distance in listOf(1, 8, 100, 511, 512, 513, 1024)) {
                    val moved = LongArray(values.size) { values[(it + distance) % values.size] }
                    if (!moved.contentEquals(values)) field(moved) shouldNotBe field(values)
                }
            }
        }

        test("changes at the corners of rectangles do not cancel") {
            withRandom { random ->
                repeat(2000) {
                    val lines = generateSequence { random.nextLong(1L shl 40) }.distinct().take(2).toList()
                    val places = generateSequence { random.nextLong(512) }.distinct().take(2).toList()
                    val value = random.nextInt(100).toDouble().toRawBits()
                    val other = value + (1L shl random.nextInt(64))
                    val up =
                        listOf(
                            lines[0] * 512 + places[0],
                            lines[1] * 512 + places[1],
                        ).map { change(it, value, other) }
                    val down =
                        listOf(
                            lines[0] * 512 + places[1],
                            lines[1] * 512 + places[0],
                        ).map { change(it, other, value) }
                    (up + down).reduce(CellDigest::plus) shouldNotBe CellDigest.NONE
                }
            }
        }

        test("zeros show: every field of zeros has a digest of its own, and so has every one that lacks a zero") {
            val whole = field(LongArray(2000))
            (1..2000).map { field(LongArray(it)) }.shouldBeUnique()
            (0L until 2000L).map { whole.minus(cell(it, 0)) } shouldNotContain whole
        }

        test("fields of equal cells show which value it is, its sign, and how many there are") {
            val digests =
                listOf(1, 2, 511, 512, 513, 1024, 4096).flatMap { size ->
                    (
                        listOf(
                            0.0,
                            -0.0,
                            1.0,
                            -1.0,
                            2.0,
                            -2.0,
                            0.5,
                            1e300,
                        ).map { it.toRawBits() } + listOf(1L, 2L, 3L)
                    ).map { value ->
                        field(LongArray(size) { value })
                    }
                }
            digests.shouldBeUnique()
        }

        test("all signs flipped at once show, in fields of any size") {
            for (size in 1..1600) {
                val values = LongArray(size) { (it + 1.0).toRawBits() }
                field(LongArray(size) { values[it] xor SIGN }) shouldNotBe field(values)
            }
        }

        test("narrow cells show every value, every flip of their top bits, and every exchange") {
            for (number in listOf(0L, 511L, 512L, 1L shl 33)) {
                (-128..127).map { PRODUCTS.digest { add(byteArrayOf(it.toByte()), 0, 1, number) } }.shouldBeUnique()
                (-32768..32767)
                    .map {
                        PRODUCTS.digest {
                            add(
                                shortArrayOf(it.toShort()),
                                0,
                                1,
                                number,
                            )
                        }
                    }.toSet()
                    .size shouldBe
                    65536
            }
            for (top in listOf(7, 15, 31)) {
                requireNoPairCancels((0L until 2048L).map { change(it, 1L, 1L or (1L shl top)) })
                (0L until 2048L).map { change(it, 0, 1L shl top) }.shouldBeUnique()
            }
            requireNoPairCancels((0L until 2048L).map { change(it, 0, 1) })
        }

        test("rows that exchange a value, lose one, or come twice show; so do columns that change places") {
            fun rows(vararg columns: LongArray) = PRODUCTS.rows(columns.map { Cells.of(it) }, columns[0].size)
            val ids = LongArray(600) { it.toLong() }
            val x = LongArray(600) { (it % 10).toDouble().toRawBits() }
            val whole = rows(ids, x)
            val others =
                List(599) { row ->
                    val exchanged = x.clone().also { it[row] = x[row + 1] }.also { it[row + 1] = x[row] }
                    val flipped =
                        x
                            .clone()
                            .also {
                                it[row] = x[row] xor SIGN
                            }.also { it[row + 1] = x[row + 1] xor SIGN }
                    val twice = ids.clone().also { it[row] = ids[row + 1] }
                    listOf(rows(ids, exchanged), rows(ids, flipped), rows(twice, x))
                }
            (others.flatten() + rows(x, ids)) shouldNotContain whole
            rows(LongArray(1), LongArray(1)) shouldNotBe CellDigest.NONE
            (1..600).map { rows(LongArray(it), LongArray(it)) }.shouldBeUnique()
        }

        test("bytes that move inside a value, zeros at its end, and bytes that change ranks show") {
            fun value(rank: Long, vararg bytes: Int) =
                PRODUCTS
                    .bytes(
                        rank shl 32,
                    ).apply { add(ByteBuffer.wrap(bytes.map { it.toByte() }.toByteArray())) }
                    .finish()
            val zeros = (0..40).map { value(0, *IntArray(it)) }
            zeros.shouldBeUnique()
            (0 until 40).map { place -> value(0, *IntArray(40).also { it[place] = 1 }) }.shouldBeUnique()
            value(0, 1, 0).plus(value(1, 5)) shouldNotBe value(0, 1).plus(value(1, 5, 0))
            value(0, 1, 2).plus(value(1, 3, 4)) shouldNotBe value(0, 3, 4).plus(value(1, 1, 2))
        }

        test("the constants have no weakness that the page does not name") {
            val formula = ProductConstants
            for (weights in formula.weights) {
                weights.all { it.testBit(0) } shouldBe true
                weights.shouldBeUnique()
            }
            val worst =
                (1 until 512).maxOf { a ->
                    (0 until a).maxOf { b ->
                        maxOf(
                            formula.weights.sumOf { (it[a] - it[b]).lowestSetBit },
                            formula.weights.sumOf { (it[a] + it[b]).lowestSetBit },
                        )
                    }
                }
            worst shouldBeLessThanOrEqual 23
            formula.weights.map { it.reduce(BigInteger::plus).lowestSetBit } shouldBe listOf(2, 3)
        }
    })
