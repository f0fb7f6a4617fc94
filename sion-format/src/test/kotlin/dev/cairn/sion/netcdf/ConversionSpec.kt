package dev.cairn.sion.netcdf

import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.sion.store.fixture.withRandom
import io.kotest.assertions.withClue
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.math.BigDecimal
import java.math.BigInteger
import java.math.RoundingMode
import java.nio.ByteBuffer

/** Conversions, compared with arithmetic of any precision. */
@Tags(JDK_DEPENDENT)
class ConversionSpec :
    FunSpec({
        val numbers = NetcdfType.values().filterNot { it == NetcdfType.CHAR }

        fun check(values: Values, target: NetcdfType) {
            for (index in 0 until values.count()) {
                val one = values.only(index)
                val expected = converted(one.text(0), values.type(), target)
                withClue("${values.type()} ${one.text(0)} to $target") {
                    (Conversion.firstMisfit(one, target) < 0) shouldBe (expected != null)
                    if (expected != null) {
                        val cells = Cells.of(target, ByteBuffer.allocate(target.size()))
                        Conversion.write(one, 0, cells)
                        cells.text(0) shouldBe expected

                        val array = emptyValues(target, 1)
                        Conversion.read(cellsOf(one), array, 0)
                        array.text(0) shouldBe expected
                    }
                }
            }
        }

        test("numbers at the limits of all types") {
            for (source in numbers) for (target in numbers) check(edges(source), target)
        }

        test("random numbers of all types") {
            withRandom { random ->
                for (source in numbers) for (target in numbers) check(randomValues(random, source, 100), target)
            }
        }
    })

/** Numbers at which a conversion from [type] begins to fail or to round. */
private fun edges(type: NetcdfType): Values =
    when (type) {
        NetcdfType.BYTE -> {
            Values.of(byteArrayOf(-128, -1, 0, 1, 127))
        }

        NetcdfType.UBYTE -> {
            Values.ofUnsigned(byteArrayOf(-128, -1, 0, 1, 127))
        }

        NetcdfType.SHORT -> {
            Values.of(shortArrayOf(-32768, -129, -128, 127, 128, 255, 256, 32767))
        }

        NetcdfType.USHORT -> {
            Values.ofUnsigned(shortArrayOf(-32768, -1, 0, 127, 128, 255, 256, 32767))
        }

        NetcdfType.INT -> {
            Values.of(
                intArrayOf(Int.MIN_VALUE, -32769, -32768, -1, 65535, 65536, 16777217, Int.MAX_VALUE),
            )
        }

        NetcdfType.UINT -> {
            Values.ofUnsigned(intArrayOf(Int.MIN_VALUE, -1, 0, 65535, 65536, 16777217, Int.MAX_VALUE))
        }

        NetcdfType.INT64 -> {
            Values.of(LONGS)
        }

        NetcdfType.UINT64 -> {
            Values.ofUnsigned(LONGS)
        }

        NetcdfType.FLOAT -> {
            Values.of(
                DOUBLES
                    .map(Double::toFloat)
                    .filter {
                        it <= Float.MAX_VALUE || it.isNaN()
                    }.toFloatArray(),
            )
        }

        NetcdfType.DOUBLE -> {
            Values.of(DOUBLES)
        }

        NetcdfType.CHAR -> {
            error("no number")
        }
    }

private val LONGS =
    longArrayOf(Long.MIN_VALUE, Long.MIN_VALUE + 1025, -(1L shl 31) - 1, -1025, -1, 0, (1L shl 32) - 1) +
        longArrayOf(1L shl 32, (1L shl 53) + 1, FLOAT_TWICE, Long.MAX_VALUE)

private val DOUBLES =
    doubleArrayOf(-0.0, -0.9, -128.9, -129.0, 127.9, 255.9, 256.0, 65535.5, 2147483647.5, 2147483648.0) +
        doubleArrayOf(9.223372036854774e18, 9.223372036854775807e18, 1.844674407370955e19, 1.8446744073709551615e19) +
        doubleArrayOf(Float.MAX_VALUE.toDouble(), 3.5e38, 1.1, Double.NaN, Double.NEGATIVE_INFINITY)

/** Halfway between two floats, but for a bit that a double does not have. */
private const val FLOAT_TWICE = (1L shl 60) + (1L shl 36) + 1

private fun cellsOf(values: Values): Cells =
    Cells.of(values.type(), ByteBuffer.allocate(values.count() * values.type().size())).also {
        Conversion.write(values, 0, it)
    }

/** A copy of one value. */
private fun Values.only(index: Int): Values =
    emptyValues(type(), 1).also {
        Conversion.read(
            Cells.of(
                type(),
                cellsOf(this).bytes().position(index * type().size()).limit((index + 1) * type().size()),
            ),
            it,
            0,
        )
    }

/** What [target] should have for a number of type [source]; null if it has none. */
private fun converted(text: String, source: NetcdfType, target: NetcdfType): String? {
    val isNumber = text != "NaN" && !text.endsWith("Infinity")
    val exact = if (isNumber) exact(text, source) else BigDecimal.ZERO
    return when (target) {
        NetcdfType.DOUBLE -> {
            if (isNumber) "${exact.toDouble().withSignOf(text)}" else text
        }

        NetcdfType.FLOAT -> {
            if (isNumber) float(exact)?.let { "${it.withSignOf(text)}" } else text
        }

        else -> {
            exact
                .setScale(
                    0,
                    RoundingMode.DOWN,
                ).toBigInteger()
                .takeIf { isNumber && it in range(target) }
                ?.toString()
        }
    }
}

/** The number itself, of which a floating one prints only some digits. */
private fun exact(text: String, source: NetcdfType) =
    when (source) {
        NetcdfType.FLOAT -> BigDecimal(text.toFloat().toDouble())
        NetcdfType.DOUBLE -> BigDecimal(text.toDouble())
        else -> BigDecimal(text)
    }

private fun float(exact: BigDecimal): Float? =
    exact.toFloat().takeIf { exact.abs() <= BigDecimal(Float.MAX_VALUE.toDouble()) }

/** A [BigDecimal] has no negative zero. */
private fun Double.withSignOf(text: String) = if (this == 0.0 && text.startsWith('-')) -0.0 else this

private fun Float.withSignOf(text: String) = if (this == 0f && text.startsWith('-')) -0f else this

private fun range(type: NetcdfType): ClosedRange<BigInteger> {
    val bits = 8 * type.size()
    val isSigned = type in listOf(NetcdfType.BYTE, NetcdfType.SHORT, NetcdfType.INT, NetcdfType.INT64)
    val half = BigInteger.ONE.shiftLeft(bits - 1)
    return if (isSigned) half.negate()..half - BigInteger.ONE else BigInteger.ZERO..half.shiftLeft(1) - BigInteger.ONE
}
