package dev.cairn.benchmarks.plot

import java.math.BigDecimal
import kotlin.math.ceil
import kotlin.math.floor
import kotlin.math.ln
import kotlin.math.log10

/** Puts positive values of very different sizes between two pixels: equal factors are equally far apart. */
internal class LogAxis(
    private val lowest: Double,
    private val highest: Double,
    private val from: Double,
    private val to: Double,
) {
    /** Where [value] is drawn: in the middle if it is the only one. */
    fun place(value: Double): Double {
        val share = if (lowest == highest) 0.5 else ln(value / lowest) / ln(highest / lowest)
        return from + share * (to - from)
    }
}

/** Round numbers from below the lowest of [values] to above the highest: as many as can be read. */
internal fun roundNumbers(values: List<Double>): List<BigDecimal> {
    val fine = roundNumbers(values, listOf(1, 2, 5))
    return if (fine.size <= MOST_NUMBERS) fine else roundNumbers(values, listOf(1))
}

private fun roundNumbers(
    values: List<Double>,
    leadingDigits: List<Int>,
): List<BigDecimal> {
    val exponents = floor(log10(values.min())).toInt()..ceil(log10(values.max())).toInt()
    val all = exponents.flatMap { exponent -> leadingDigits.map { BigDecimal(it).scaleByPowerOfTen(exponent) } }
    val first = all.indexOfLast { it.toDouble() <= values.min() }
    return all.subList(first, all.indexOfFirst { it.toDouble() >= values.max() } + 1)
}

private const val MOST_NUMBERS = 8
