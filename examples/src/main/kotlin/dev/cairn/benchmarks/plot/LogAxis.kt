package dev.cairn.benchmarks.plot

import java.math.BigDecimal
import kotlin.math.ceil
import kotlin.math.floor
import kotlin.math.ln
import kotlin.math.log10

/** Maps positive values to pixels between two ends on a logarithmic scale. */
internal class LogAxis(
    private val lowest: Double,
    private val highest: Double,
    private val from: Double,
    private val to: Double,
) {
    /** The pixel of [value]: the middle if it is the only value. */
    fun place(value: Double): Double {
        val share = if (lowest == highest) 0.5 else ln(value / lowest) / ln(highest / lowest)
        return from + share * (to - from)
    }
}

/** Round numbers from below the lowest of [values] to above the highest, few enough to be readable. */
internal fun roundNumbers(values: List<Double>): List<BigDecimal> {
    val fine = roundNumbers(values, listOf(1, 2, 5))
    return if (fine.size <= MOST_NUMBERS) fine else roundNumbers(values, listOf(1))
}

private fun roundNumbers(values: List<Double>, leadingDigits: List<Int>): List<BigDecimal> {
    val exponents = floor(log10(values.min())).toInt()..ceil(log10(values.max())).toInt()
    val all = exponents.flatMap { exponent -> leadingDigits.map { BigDecimal(it).scaleByPowerOfTen(exponent) } }
    val first = all.indexOfLast { it.toDouble() <= values.min() }
    return all.subList(first, all.indexOfFirst { it.toDouble() >= values.max() } + 1)
}

private const val MOST_NUMBERS = 8
