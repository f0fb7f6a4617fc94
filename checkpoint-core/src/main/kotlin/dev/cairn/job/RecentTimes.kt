package dev.cairn.job

import kotlin.time.Duration

/** The last few durations of a kind of work. */
internal class RecentTimes {
    private val times = ArrayDeque<Duration>()

    val count: Int get() = times.size
    val longest: Duration? get() = times.maxOrNull()
    val shortest: Duration get() = times.min()

    /** Null if there was none. */
    val mean: Duration? get() = if (times.isEmpty()) null else times.fold(Duration.ZERO, Duration::plus) / times.size

    fun add(time: Duration) {
        if (times.size == MOST) times.removeFirst()
        times += time
    }

    private companion object {
        const val MOST = 8
    }
}
