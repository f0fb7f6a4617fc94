package dev.cairn.redistribution

import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.redistribution.Widening.Kind.FLOATING
import dev.cairn.redistribution.Widening.Kind.SIGNED
import dev.cairn.redistribution.Widening.Kind.UNSIGNED
import dev.cairn.sion.store.fixture.withRandom
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.ByteOrder

private const val CELLS = 3000

private fun bytes(size: Int, put: ByteBuffer.(Int) -> Unit): ByteBuffer =
    ByteBuffer
        .allocate(CELLS * size)
        .order(ByteOrder.LITTLE_ENDIAN)
        .also { all ->
            repeat(CELLS) { all.put(it) }
        }.flip()

/** Copies narrow bytes into a wide array, and from there back; also digests both. */
private fun requireThereAndBack(narrow: ByteBuffer, wide: Cells, widening: Widening) {
    val form = wide.storedAs(widening)
    val runs = Runs.row(0, 0, CELLS)
    form.copyFrom(narrow, runs)
    val back = ByteBuffer.allocate(narrow.capacity())
    form.copyTo(back, runs)
    back shouldBe narrow

    fun digest(cells: Cells) =
        DigestFormula.NEWEST
            .cells()
            .also { cells.digest(it, Runs.row(0, 17, CELLS)) }
            .digest()
    digest(form) shouldBe digest(Cells.of(narrow, widening.narrowSize()))
}

@Tags(JDK_DEPENDENT)
class WideningSpec :
    FunSpec({
        test("integers keep their values, there and back") {
            withRandom { random ->
                val values = LongArray(CELLS) { if (it < 4) longArrayOf(0, -1, 127, -128)[it] else random.nextLong() }
                val longs = LongArray(CELLS)
                requireThereAndBack(bytes(1) { put(values[it].toByte()) }, Cells.of(longs), Widening(SIGNED, 1, 8))
                longs.toList() shouldBe values.map { it.toByte().toLong() }
                requireThereAndBack(
                    bytes(2) { putShort(values[it].toShort()) },
                    Cells.of(longs),
                    Widening(SIGNED, 2, 8),
                )
                longs.toList() shouldBe values.map { it.toShort().toLong() }
                requireThereAndBack(bytes(4) { putInt(values[it].toInt()) }, Cells.of(longs), Widening(SIGNED, 4, 8))
                longs.toList() shouldBe values.map { it.toInt().toLong() }
                requireThereAndBack(
                    bytes(2) { putShort(values[it].toShort()) },
                    Cells.of(longs),
                    Widening(UNSIGNED, 2, 8),
                )
                longs.toList() shouldBe
                    values.map {
                        it
                            .toInt()
                            .toChar()
                            .code
                            .toLong()
                    }
                val shorts = ShortArray(CELLS)
                requireThereAndBack(bytes(1) { put(values[it].toByte()) }, Cells.of(shorts), Widening(SIGNED, 1, 2))
                shorts.toList() shouldBe values.map { it.toByte().toShort() }
            }
        }

        test("floats keep their values, and every bit of a NaN comes back") {
            withRandom { random ->
                val special = intArrayOf(0x7fa00001, 0x7fc00000, -0x400000 + 3, 1, Int.MIN_VALUE, 0x7f800000)
                val bits = IntArray(CELLS) { if (it < special.size) special[it] else random.nextInt() }
                val doubles = DoubleArray(CELLS)
                requireThereAndBack(bytes(4) { putInt(bits[it]) }, Cells.of(doubles), Widening(FLOATING, 4, 8))
                for ((value, bit) in doubles.zip(bits.toList())) {
                    val float = Float.fromBits(bit)
                    if (float.isNaN()) check(value.isNaN()) else value shouldBe float.toDouble()
                }
            }
        }
    })
