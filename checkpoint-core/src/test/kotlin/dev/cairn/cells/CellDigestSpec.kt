package dev.cairn.cells

import dev.cairn.sion.store.withRandom
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.shouldBe
import java.math.BigInteger
import java.nio.ByteBuffer
import java.nio.ByteOrder

private val WORD = BigInteger.TWO.pow(64)

private fun hex(text: String) = BigInteger(text, 16)

/** The formula of [CellDigest]'s documentation in numbers of any size: pairs of global index and stored bits. */
internal fun digestByFormula(cells: List<Pair<Long, Long>>): String {
    fun BigInteger.step(
        shift: Int,
        factor: String,
    ) = (xor(shiftRight(shift)) * hex(factor)).mod(WORD)

    fun BigInteger.mixA() = step(30, "bf58476d1ce4e5b9").step(27, "94d049bb133111eb").let { it.xor(it.shiftRight(31)) }

    fun BigInteger.mixB() = step(33, "ff51afd7ed558ccd").step(33, "c4ceb9fe1a85ec53").let { it.xor(it.shiftRight(33)) }

    fun sum(
        constant: String,
        mix: BigInteger.() -> BigInteger,
    ) = cells.fold(BigInteger.ZERO) { sum, (index, bits) ->
        val term = (BigInteger.valueOf(bits) + BigInteger.valueOf(index).inc() * hex(constant)).mod(WORD)
        (sum + term.mix()).mod(WORD)
    }

    fun BigInteger.text() = toString(16).padStart(16, '0')
    return sum("9e3779b97f4a7c15") { mixA() }.text() + sum("d1b54a32d192ed03") { mixB() }.text()
}

class CellDigestSpec :
    FunSpec({
        fun digest(add: CellDigester.() -> Unit) = CellDigester().apply(add).digest()

        test("the digests that a few lines of Python compute come out") {
            digest { }.toString() shouldBe "00000000000000000000000000000000"
            digest { add(longArrayOf(0), 0, 1, 0) }.toString() shouldBe "e220a8397b1dcdaff24c4ff5f1592379"
            digest { add(byteArrayOf(-1), 0, 1, 0) }.toString() shouldBe "338c507146283fb4fbfcd1652ca32656"
            digest { add(intArrayOf(-1), 0, 1, 1_000_000_007) }.toString() shouldBe "bbce270e2febdf0863fe980133d251b3"
            digest { add(DoubleArray(10) { it / 8.0 }, 0, 10, 0) }.toString() shouldBe
                "aee0245913012f799b432a25adbe0f58"
            digest { add(doubleArrayOf(Double.fromBits(0x7ff8_0000_0000_0001)), 0, 1, 1L shl 40) }.toString() shouldBe
                "1bad80c476ac09d3a227b4e82f18b19d"
            digest { add(booleanArrayOf(true, false, true), 0, 3, 5) }.toString() shouldBe
                "75b761ccc181bad62e4f37b9366f98dd"
            digest { add(LongArray(1000) { it.toLong() * it }, 0, 1000, 0) }.toString() shouldBe
                "a340ce7cf3738eb1ddf152a73de85dbe"
        }

        test("any cells, cut and added in any order, have the formula's digest") {
            withRandom { random ->
                repeat(200) {
                    val cells = LongArray(random.nextInt(1, 1500)) { random.nextLong() shl random.nextInt(64) }
                    val first = random.nextLong(0, Long.MAX_VALUE - cells.size)
                    val cuts = (List(random.nextInt(6)) { random.nextInt(cells.size) } + 0 + cells.size).sorted()
                    val parts = cuts.zipWithNext().shuffled(random)
                    val added = parts.map { (from, to) -> digest { add(cells, from, to - from, first + from) } }
                    added.fold(CellDigest.NONE, CellDigest::plus).toString() shouldBe
                        digestByFormula(cells.mapIndexed { k, bits -> first + k to bits })
                }
            }
        }

        test("little-endian bytes of any element size count as the integers that they are, in any memory") {
            withRandom { random ->
                val bytes = random.nextBytes(8 * 700)
                val direct = ByteBuffer.allocateDirect(bytes.size).put(bytes)
                for (size in listOf(1, 2, 4, 8)) {
                    val cells =
                        bytes.toList().chunked(size) { element ->
                            element.foldRight(0L) { byte, rest -> rest shl 8 or (byte.toLong() and 0xff) }
                        }
                    val expected = digestByFormula(cells.drop(3).mapIndexed { k, bits -> 77L + k to bits })
                    digest { add(direct, size, 3, cells.size - 3, 77) }.toString() shouldBe expected
                    val bigEndian = ByteBuffer.wrap(bytes).order(ByteOrder.BIG_ENDIAN)
                    digest { add(bigEndian, size, 3, cells.size - 3, 77) }.toString() shouldBe expected
                }
            }
        }

        test("a cell that moves, changes one bit, doubles or vanishes shows") {
            withRandom { random ->
                val cells = LongArray(100) { it / 10L }
                val whole = digest { add(cells, 0, 100, 0) }

                fun changed(change: LongArray.() -> Unit) = digest { add(cells.clone().apply(change), 0, 100, 0) }
                val others =
                    List(500) {
                        val a = random.nextInt(100)
                        val b = (a + 50) % 100
                        listOf(
                            changed { set(a, cells[a] xor (1L shl random.nextInt(64))) },
                            changed { set(a, cells[b]).also { set(b, cells[a]) } },
                            whole.plus(digest { add(cells, a, 1, a.toLong()) }),
                            digest { add(cells, 0, a, 0).also { add(cells, a + 1, 99 - a, a + 1L) } },
                            digest { add(cells, 0, 100, 1) },
                        )
                    }
                others.flatten() shouldNotContain whole
            }
        }

        test("other element sizes are refused") {
            shouldThrow<IllegalArgumentException> {
                digest {
                    add(
                        ByteBuffer.allocate(6),
                        3,
                        0,
                        2,
                        0,
                    )
                }
            }.message shouldBe
                "a cell has 1, 2, 4 or 8 bytes, not 3."
        }
    })
