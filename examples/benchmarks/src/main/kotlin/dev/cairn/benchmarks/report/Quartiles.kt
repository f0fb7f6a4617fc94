package dev.cairn.benchmarks.report

import kotlinx.serialization.Serializable
import kotlin.math.floor
import kotlin.math.min

/** The middle half of some measurements. */
@Serializable
internal data class Quartiles(val lower: Double, val median: Double, val upper: Double) {
    override fun toString(): String = "%.3f [%.3f %.3f]".format(median, lower, upper)

    companion object {
        fun of(values: List<Double>): Quartiles {
            val sorted = values.sorted()
            return Quartiles(sorted.quantile(0.25), sorted.quantile(0.5), sorted.quantile(0.75))
        }

        /** Interpolates between two neighbouring values. */
        private fun List<Double>.quantile(share: Double): Double {
            val place = share * (size - 1)
            val below = floor(place).toInt()
            val above = min(below + 1, size - 1)
            return this[below] + (place - below) * (this[above] - this[below])
        }
    }
}
