package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.report.AtLeast
import dev.cairn.benchmarks.report.Comparison
import dev.cairn.benchmarks.report.Quotient
import kotlin.system.measureNanoTime

/** One implementation of a job. Only [run] is timed; [settle] checks the result, and deletes it for the next run. */
internal class Side(
    private val run: () -> Unit,
    private val leftOutSeconds: Double = 0.0,
    private val settle: () -> Unit = {},
) {
    /** The same job, with the fixed cost of each run subtracted from its time. */
    fun leavingOut(seconds: Double): Side = Side(run, seconds, settle)

    fun seconds(): Double = (measureNanoTime(run) / 1e9 - leftOutSeconds).also { settle() }
}

/**
 * Two implementations of the same job, run in pairs. The first one of a pair alternates, and only the two times of one pair are
 * compared, so that a machine whose speed varies favours neither side.
 *
 * @property atLeast the least acceptable ratio of our rate to the baseline's
 */
internal class Duel(val job: String, val atLeast: Double, val ours: Side, val baseline: Side) {
    private class Times(val ours: Double, val baseline: Double)

    fun run(pairCount: Int, warmUpPairs: Int): Comparison {
        repeat(warmUpPairs) { pair(it) }
        val pairs = List(pairCount) { pair(it) }
        return Comparison.of(job, Quotient.OF_RATES, pairs, AtLeast(atLeast), Times::ours, Times::baseline)
    }

    private fun pair(number: Int): Times =
        if (number % 2 == 0) {
            val first = ours.seconds()
            Times(first, baseline.seconds())
        } else {
            val first = baseline.seconds()
            Times(ours.seconds(), first)
        }

    companion object {
        /** One pair in each order, so that both sides are compiled before the first timed pair. */
        const val WARM_UP_PAIRS = 2
    }
}
