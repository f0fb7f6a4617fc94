package dev.cairn.run

import kotlin.time.ComparableTimeMark
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * How long rank 0 waits after a failed save before it requests another one: not at all after the first failure, then 1, 3, 7, … seconds
 * and at most ten minutes, but always ten times as long as the save took. So a disk that recovers soon is used soon, and retries cost
 * at most a tenth of the time.
 */
internal class SaveBackoff(private val clock: TimeSource.WithComparableMarks) {
    private var lostCount = 0
    private var end: ComparableTimeMark? = null

    /** Whether a save failed long enough ago. */
    val isOver: Boolean get() = end?.hasPassedNow() == true

    /** A save was committed. */
    fun forget() {
        lostCount = 0
        end = null
    }

    /** Another save has begun, so none is requested until it has ended. */
    fun begun() {
        end = null
    }

    /** Another save failed after [time]. */
    fun lose(time: Duration) {
        val growing = FIRST * ((1L shl lostCount.coerceAtMost(MOST_DOUBLINGS)) - 1).toInt()
        end = clock.markNow() + maxOf(time * SHARE, minOf(growing, LONGEST))
        lostCount++
    }

    private companion object {
        val FIRST = 1.seconds
        val LONGEST = 10.minutes
        const val MOST_DOUBLINGS = 10
        const val SHARE = 10
    }
}
