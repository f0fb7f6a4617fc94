package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.report.DuelResult
import dev.cairn.benchmarks.report.Quartiles
import kotlin.system.measureNanoTime

/** One way of doing a job. Only [run] is timed; [settle] checks what it did, and clears the place for the next one. */
internal class Side private constructor(
    val run: () -> Unit,
    private val leftOutSeconds: Double,
    val settle: () -> Unit,
) {
    constructor(run: () -> Unit, settle: () -> Unit = {}) : this(run, 0.0, settle)

    /** The same, without what every run takes besides and does not count. */
    fun leavingOut(seconds: Double): Side = Side(run, seconds, settle)

    fun seconds(): Double = (measureNanoTime(run) / 1e9 - leftOutSeconds).also { settle() }
}

/**
 * Two ways of doing the same job, in pairs: who goes first alternates, and only the two times of one pair are
 * compared, so that a machine whose speed wanders does not favour a side.
 *
 * @property atLeast what we promise of our rate divided by the baseline's
 */
internal class Duel(
    val job: String,
    val atLeast: Double,
    val ours: Side,
    val baseline: Side,
) {
    private class Times(
        val ours: Double,
        val baseline: Double,
    )

    fun run(
        pairCount: Int,
        warmUpPairs: Int,
    ): DuelResult {
        repeat(warmUpPairs) { pair(it) }
        val pairs = List(pairCount) { pair(it) }
        return DuelResult(
            job,
            ratio = Quartiles.of(pairs.map { it.baseline / it.ours }),
            oursSeconds = Quartiles.of(pairs.map { it.ours }),
            baselineSeconds = Quartiles.of(pairs.map { it.baseline }),
            atLeast,
        )
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
        /** One in each order, so that both sides are compiled before the first time counts. */
        const val WARM_UP_PAIRS = 2
    }
}
