package dev.cairn.run

import kotlin.math.sqrt
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * The time from the end of a save to the beginning of the next, with which saves and failures together cost least: Daly's estimate of
 * higher order (2006). For a [wait] far below the time between failures it is nearly Young's, the root of twice their product.
 *
 * @param wait how long a save blocks the program
 * @param failures the mean time between failures of the run
 */
internal fun bestInterval(wait: Duration, failures: Duration): Duration {
    if (wait >= failures * 2) return failures
    val share = wait / (failures * 2)
    return failures * 2 * (sqrt(share) * (1 + sqrt(share) / 3 + share / 9)) - wait
}

/**
 * How long a run computes between two saves, from the recent costs of its saves. Pure: the caller measures.
 *
 * @param failures the mean time between failures of the run
 * @param overhead the largest share of the time that saves may take; null if there is no bound
 */
internal class SaveInterval(private val failures: Duration, private val overhead: Double?) {
    private val waits = RecentTimes()
    private val commits = RecentTimes()

    /** How long a save blocks the program on average; null if there was none. */
    val wait: Duration? get() = waits.mean

    /** Before the first save the interval is short, since that save shows the cost. */
    val length: Duration
        get() {
            val wait = wait ?: return minOf(FIRST, failures)
            val commit = commits.longest ?: Duration.ZERO
            return listOf(bestInterval(wait, failures), allowed(wait), commit - wait).max()
        }

    /** The share of the time for which saves block the program. */
    val share: Double get() = wait?.let { it / (it + length) } ?: 0.0

    private fun allowed(wait: Duration): Duration =
        if (overhead == null) Duration.ZERO else wait * ((1 - overhead) / overhead)

    /** A save has blocked the program for [time]. */
    fun waited(time: Duration) = waits.add(time)

    /** A save was committed, [time] after it had begun: a shorter interval would make the next one wait. */
    fun committed(time: Duration) = commits.add(time)

    private companion object {
        val FIRST = 60.seconds
    }
}
