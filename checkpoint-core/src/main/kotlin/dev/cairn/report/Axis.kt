package dev.cairn.report

import dev.cairn.event.sizeText
import kotlin.math.floor
import kotlin.math.log10
import kotlin.math.pow

/** The quantity of an axis: the steps between its labels, and the text of a label. */
internal enum class Measure {
    SECONDS {
        override fun stepAbove(least: Double) = TIMES.firstOrNull { it >= least } ?: decimalAbove(least)

        override fun text(value: Double): String {
            val (unit, name) = UNITS.lastOrNull { value >= it.first } ?: UNITS.first()
            return "${plain(value / unit)} $name"
        }
    },
    BYTES {
        override fun stepAbove(least: Double): Double = generateSequence(1.0) { 2 * it }.first { it >= least }

        override fun text(value: Double): String = sizeText(value.toLong()).replace(".0 ", " ")
    },
    COUNT {
        override fun stepAbove(least: Double): Double = decimalAbove(least).coerceAtLeast(1.0)

        override fun text(value: Double): String = plain(value)
    }, ;

    /** The smallest round step that is not below [least], which is positive. */
    abstract fun stepAbove(least: Double): Double

    abstract fun text(value: Double): String
}

private const val MINUTE = 60.0
private const val HOUR = 3600.0
private const val DAY = 86_400.0
private val TIMES =
    listOf(-3, -2, -1, 0).flatMap { power -> listOf(1, 2, 5).map { it * 10.0.pow(power) } } +
        listOf(10.0, 15.0, 30.0) + listOf(1, 2, 5, 10, 15, 30).map { it * MINUTE } +
        listOf(1, 2, 3, 6, 12).map { it * HOUR } + listOf(1, 2, 5, 10, 20, 50, 100).map { it * DAY }
private val UNITS = listOf(1.0 to "s", MINUTE to "min", HOUR to "h", DAY to "d")

private fun decimalAbove(least: Double): Double {
    val power = 10.0.pow(floor(log10(least)))
    return listOf(1.0, 2.0, 5.0, 10.0).map { it * power }.first { it >= least }
}

/** Without a needless decimal point, and with at most three digits after it. */
private fun plain(value: Double): String =
    value
        .toBigDecimal()
        .setScale(3, java.math.RoundingMode.HALF_EVEN)
        .stripTrailingZeros()
        .toPlainString()

/** Maps values from [lowest] to [highest] to pixels, in proportion. */
internal class Axis(
    private val measure: Measure,
    private val lowest: Double,
    private val highest: Double,
    private val from: Double,
    private val to: Double,
) {
    fun place(value: Double): Double =
        if (highest == lowest) from else from + (value - lowest) / (highest - lowest) * (to - from)

    /** Round values between both ends, at most [most] and one more. */
    fun ticks(most: Int): List<Double> {
        val step = if (highest == lowest) return listOf(lowest) else measure.stepAbove((highest - lowest) / most)
        val first = kotlin.math.ceil(lowest / step).toLong()
        val last = floor(highest / step + ROUNDING).toLong()
        return (first..last).map { it * step }
    }

    fun text(value: Double): String = measure.text(value)
}

private const val ROUNDING = 1e-9
