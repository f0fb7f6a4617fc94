package dev.cairn.redistribution

import dev.cairn.house.Campaign
import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.sion.store.fixture.withRandom
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.ByteOrder

@Tags(JDK_DEPENDENT)
class CellDigestSpec :
    FunSpec({
        test("the digests of format 1 that a few lines of Python compute come out") {
            fun digest(add: CellDigester.() -> Unit) = DigestFormula.MIXES.digest(add).toString()
            digest { } shouldBe "00000000000000000000000000000000"
            digest { add(longArrayOf(0), 0, 1, 0) } shouldBe "e220a8397b1dcdaff24c4ff5f1592379"
            digest { add(byteArrayOf(-1), 0, 1, 0) } shouldBe "338c507146283fb4fbfcd1652ca32656"
            digest { add(intArrayOf(-1), 0, 1, 1_000_000_007) } shouldBe "bbce270e2febdf0863fe980133d251b3"
            digest { add(DoubleArray(10) { it / 8.0 }, 0, 10, 0) } shouldBe "aee0245913012f799b432a25adbe0f58"
            digest { add(doubleArrayOf(Double.fromBits(0x7ff8_0000_0000_0001)), 0, 1, 1L shl 40) } shouldBe
                "1bad80c476ac09d3a227b4e82f18b19d"
            digest { add(booleanArrayOf(true, false, true), 0, 3, 5) } shouldBe "75b761ccc181bad62e4f37b9366f98dd"
            digest { add(LongArray(1000) { it.toLong() * it }, 0, 1000, 0) } shouldBe "a340ce7cf3738eb1ddf152a73de85dbe"
        }

        test("the digests of format 2 that a few lines of Python compute come out") {
            fun digest(add: CellDigester.() -> Unit) = DigestFormula.PRODUCTS.digest(add).toString()
            digest { } shouldBe "00000000000000000000000000000000"
            digest { add(longArrayOf(0), 0, 1, 0) } shouldBe "5e6add02448cef37e0a0a4100fa4be07"
            digest { add(byteArrayOf(-1), 0, 1, 0) } shouldBe "29b564450767c73ea5a3131d8adb2f88"
            digest { add(intArrayOf(-1), 0, 1, 1_000_000_007) } shouldBe "7bceedef1217e8a0d42f003efd349d16"
            digest { add(DoubleArray(10) { it / 8.0 }, 0, 10, 0) } shouldBe "fe87eb12c56c7668c642df29a145a248"
            digest { add(doubleArrayOf(Double.fromBits(0x7ff8_0000_0000_0001)), 0, 1, 1L shl 40) } shouldBe
                "83b502dceffd016ca5f0b6874710f26d"
            digest { add(booleanArrayOf(true, false, true), 0, 3, 511) } shouldBe "eafb835f6e259532ee02e9030a1cb13c"
            digest { add(LongArray(1000) { it.toLong() * it }, 0, 1000, 0) } shouldBe "f90951958f6f3d96a286e0c8dc2ef2b0"
        }

        for (formula in DigestFormula.entries) {
            val expected = DigestsByFormula.of(formula)

            test("any cells, cut and added in any order, have the digest of $formula") {
                withRandom { random ->
                    repeat(Campaign.SEEDS.limit(100)) {
                        val cells = LongArray(random.nextInt(1, 5000)) { random.nextLong() shl random.nextInt(64) }
                        val first = random.nextLong(0, Long.MAX_VALUE - cells.size)
                        val cuts = (List(random.nextInt(6)) { random.nextInt(cells.size) } + 0 + cells.size).sorted()
                        val parts = cuts.zipWithNext().shuffled(random)
                        val added =
                            parts.map { (from, to) -> formula.digest { add(cells, from, to - from, first + from) } }
                        val digest = expected.ofCells(cells.mapIndexed { k, bits -> first + k to bits })
                        added.fold(CellDigest.NONE, CellDigest::plus).toString() shouldBe digest
                        val together =
                            formula.digest { parts.forEach { (from, to) -> add(cells, from, to - from, first + from) } }
                        together.toString() shouldBe digest
                    }
                }
            }

            test("little-endian bytes count as the integers that they are, in any memory, by $formula") {
                withRandom { random ->
                    val bytes = random.nextBytes(8 * 700)
                    val direct = ByteBuffer.allocateDirect(bytes.size).put(bytes)
                    for (size in listOf(1, 2, 4, 8)) {
                        val cells =
                            bytes.toList().chunked(size) { element ->
                                element.foldRight(0L) { byte, rest -> rest shl 8 or (byte.toLong() and 0xff) }
                            }
                        val digest = expected.ofCells(cells.drop(3).mapIndexed { k, bits -> 77L + k to bits })
                        formula.digest { add(direct, size, 3, cells.size - 3, 77) }.toString() shouldBe digest
                        val bigEndian = ByteBuffer.wrap(bytes).order(ByteOrder.BIG_ENDIAN)
                        formula.digest { add(bigEndian, size, 3, cells.size - 3, 77) }.toString() shouldBe digest
                    }
                }
            }

            test("arrays of every type count as their bits by $formula") {
                withRandom { random ->
                    val longs = LongArray(1000) { random.nextLong() }

                    fun requireBits(mask: Long, add: CellDigester.() -> Unit) {
                        val cells = longs.mapIndexed { place, bits -> 100L + place to (bits and mask) }
                        formula.digest(add).toString() shouldBe expected.ofCells(cells)
                    }
                    requireBits(1) { add(BooleanArray(1000) { longs[it] and 1 == 1L }, 0, 1000, 100) }
                    requireBits(0xff) { add(ByteArray(1000) { longs[it].toByte() }, 0, 1000, 100) }
                    requireBits(0xffff) { add(ShortArray(1000) { longs[it].toShort() }, 0, 1000, 100) }
                    requireBits(0xffff) { add(CharArray(1000) { Char(longs[it].toInt() and 0xffff) }, 0, 1000, 100) }
                    requireBits(0xffff_ffff) { add(IntArray(1000) { longs[it].toInt() }, 0, 1000, 100) }
                    requireBits(0xffff_ffff) {
                        add(FloatArray(1000) { Float.fromBits(longs[it].toInt()) }, 0, 1000, 100)
                    }
                    requireBits(-1) { add(DoubleArray(1000) { Double.fromBits(longs[it]) }, 0, 1000, 100) }
                }
            }

            test("a cell that moves, changes one bit, doubles or vanishes shows by $formula") {
                withRandom { random ->
                    val cells = LongArray(100) { it / 10L }
                    val whole = formula.digest { add(cells, 0, 100, 0) }

                    fun changed(change: LongArray.() -> Unit) =
                        formula.digest { add(cells.clone().apply(change), 0, 100, 0) }
                    val others =
                        List(500) {
                            val a = random.nextInt(100)
                            val b = (a + 50) % 100
                            listOf(
                                changed { set(a, cells[a] xor (1L shl random.nextInt(64))) },
                                changed { set(a, cells[b]).also { set(b, cells[a]) } },
                                whole.plus(formula.digest { add(cells, a, 1, a.toLong()) }),
                                formula.digest { add(cells, 0, a, 0).also { add(cells, a + 1, 99 - a, a + 1L) } },
                                formula.digest { add(cells, 0, 100, 1) },
                            )
                        }
                    others.flatten() shouldNotContain whole
                }
            }

            test("bytes of a value, in any pieces of whole words, have the digest of $formula") {
                withRandom { random ->
                    for (size in listOf(0, 1, 7, 8, 9, 4096, 10_001)) {
                        val bytes = random.nextBytes(size)
                        val first = random.nextLong(0, 1L shl 62)
                        val cuts = listOf(0, size) + List(3) { random.nextInt(size / 8 + 1) * 8 }
                        val digester = formula.bytes(first)
                        cuts.sorted().zipWithNext().forEach { (from, to) ->
                            digester.add(ByteBuffer.wrap(bytes, from, to - from))
                        }
                        digester.finish().toString() shouldBe expected.ofBytes(first, bytes)
                    }
                }
            }
        }

        test("the digests of values of format 2 that a few lines of Python compute come out") {
            fun digest(first: Long, bytes: ByteArray) =
                "${DigestFormula.PRODUCTS.bytes(first).apply { add(ByteBuffer.wrap(bytes)) }.finish()}"
            digest(0, ByteArray(0)) shouldBe "5e6add02448cef37e0a0a4100fa4be07"
            digest(1L shl 32, byteArrayOf(0x18)) shouldBe "6ae922942471e8cdb977b48277898836"
            digest(0, ByteArray(10) { it.toByte() }) shouldBe "ba4d84cbb5ce0d83d048607da83d9055"
            digest(0, ByteArray(16)) shouldBe "f9ddb66468a18c451f09f072400850e3"
        }

        test("nothing follows bytes that are no whole words") {
            val digester = DigestFormula.PRODUCTS.bytes(0).apply { add(ByteBuffer.allocate(9)) }
            shouldThrow<IllegalStateException> { digester.add(ByteBuffer.allocate(8)) }.message shouldBe
                "9 bytes were added, which are no whole words, so nothing can follow: please report this."
        }

        test("other element sizes are refused") {
            shouldThrow<IllegalArgumentException> {
                DigestFormula.PRODUCTS.digest { add(ByteBuffer.allocate(6), 3, 0, 2, 0) }
            }.message shouldBe "a cell has 1, 2, 4 or 8 bytes, not 3."
        }
    })

/** Adds [count] of the [cells], an array of a primitive type. */
internal fun CellDigester.add(cells: Any, offset: Int, count: Int, firstIndex: Long) =
    cellsOf(cells).digest(this, Runs.row(offset.toLong(), firstIndex, count))

private fun cellsOf(array: Any): Cells =
    when (array) {
        is BooleanArray -> Cells.of(array)
        is ByteArray -> Cells.of(array)
        is ShortArray -> Cells.of(array)
        is CharArray -> Cells.of(array)
        is IntArray -> Cells.of(array)
        is LongArray -> Cells.of(array)
        is FloatArray -> Cells.of(array)
        else -> Cells.of(array as DoubleArray)
    }

internal fun DigestFormula.digest(add: CellDigester.() -> Unit): CellDigest = cells().apply(add).digest()
