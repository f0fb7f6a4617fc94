package dev.cairn.node

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.withTimeoutOrNull
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** Holds the drain of a host up, so that it copies [bytesPerSecond] at most; null for no limit. One worker spends. */
internal class DrainPace(
    private val bytesPerSecond: Long?,
    clock: TimeSource.WithComparableMarks = TimeSource.Monotonic,
    private val hold: suspend (Duration, lifted: CompletableDeferred<Unit>) -> Unit = ::waitUntil,
) {
    private val begin = clock.markNow()
    private val lifted = CompletableDeferred<Unit>()

    /** When the bytes of before have had their time, since [begin]. */
    private var free = Duration.ZERO

    /** Returns when [byteCount] more may be copied. Time that was not used before does not count. */
    suspend fun spend(byteCount: Int) {
        if (bytesPerSecond == null || lifted.isCompleted) return
        val now = begin.elapsedNow()
        if (free > now) hold(free - now, lifted)
        free = maxOf(free, now) + (byteCount.toDouble() / bytesPerSecond).seconds
    }

    /** There is no limit from now on. Any thread may call it. */
    fun lift() {
        lifted.complete(Unit)
    }
}

private suspend fun waitUntil(
    time: Duration,
    lifted: CompletableDeferred<Unit>,
) {
    withTimeoutOrNull(time) { lifted.await() }
}
