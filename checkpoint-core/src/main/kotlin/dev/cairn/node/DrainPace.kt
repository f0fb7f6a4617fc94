package dev.cairn.node

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.withTimeoutOrNull
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** Limits the drain of a host to [bytesPerSecond]; null for no limit. Called by one worker. */
internal class DrainPace(
    private val bytesPerSecond: Long?,
    clock: TimeSource.WithComparableMarks = TimeSource.Monotonic,
    private val hold: suspend (Duration, lifted: CompletableDeferred<Unit>) -> Unit = ::waitUntil,
) {
    private val begin = clock.markNow()
    private val lifted = CompletableDeferred<Unit>()

    /** The time since [begin] at which the bytes copied so far are within the limit. */
    private var free = Duration.ZERO

    /** Waits until [byteCount] more may be copied. Unused time does not accumulate. */
    suspend fun spend(byteCount: Int) {
        if (bytesPerSecond == null || lifted.isCompleted) return
        val now = begin.elapsedNow()
        if (free > now) hold(free - now, lifted)
        free = maxOf(free, now) + (byteCount.toDouble() / bytesPerSecond).seconds
    }

    /** Removes the limit. Any thread may call it. */
    fun lift() {
        lifted.complete(Unit)
    }
}

private suspend fun waitUntil(time: Duration, lifted: CompletableDeferred<Unit>) {
    withTimeoutOrNull(time) { lifted.await() }
}
