package dev.cairn.ranks

import dev.cairn.event.CommunicatorException
import dev.cairn.event.RollCall
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.isActive
import kotlinx.coroutines.suspendCancellableCoroutine
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater
import kotlin.coroutines.Continuation
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.intrinsics.COROUTINE_SUSPENDED
import kotlin.coroutines.intrinsics.intercepted
import kotlin.coroutines.intrinsics.suspendCoroutineUninterceptedOrReturn
import kotlin.coroutines.resume
import kotlin.time.Duration

/**
 * One rank's stay in one call. Times are milliseconds of the run's clock.
 *
 * The rank sleeps while the call is open. The rank that ends the call wakes it, and a rank that falls asleep checks
 * once more, so that one of the two sees the other; only one of them gets [sleeper].
 */
internal abstract class Waiting {
    var since: Long = 0
        private set

    var deadline: Long = 0
        private set

    @Volatile var below: Waiting? = null

    @Volatile var left: Long = STILL_THERE

    @Volatile private var sleeper: Continuation<Unit>? = null

    val hasLeft: Boolean get() = left != STILL_THERE

    /** Whether it still needs another rank to go on. */
    abstract val isOpen: Boolean

    /** Equal for calls that wait for the same thing. */
    abstract val sharedWait: Any

    /** Ends the wait with [failure], unless it is over. */
    abstract fun fail(failure: CommunicatorException)

    /** The awaited ranks, in words. */
    abstract fun awaited(): String

    abstract fun rollCall(reason: String): RollCall

    /** The awaited ranks. */
    abstract fun missingSeats(): List<RankSeat>

    /**
     * This call; or, if each awaited rank waits in a call of its own, the one at which the first of them waits for a rank that is really
     * missing. Ranks that wait for each other in a circle have none.
     */
    fun origin(): Waiting {
        val seen = LinkedHashSet<Waiting>()
        var call = this
        while (seen.add(call)) {
            val seats = call.missingSeats()
            if (seats.isEmpty()) return call
            val calls = seats.map { seat -> seat.openCalls().firstOrNull().takeIf { seat.isLive } ?: return call }
            call = calls.firstOrNull { it !in seen } ?: return this
        }
        return this
    }

    /** The wait begins at the time [now] and may last for [limit]. */
    fun begin(now: Long, limit: Duration) {
        since = now
        deadline = if (limit.isInfinite()) Long.MAX_VALUE else now + limit.inWholeMilliseconds
    }

    /**
     * Suspends until another rank wakes it, which may be too early. [home] is the context of the rank's own coroutine, which
     * needs no more than its last frame to sleep: its seat wakes it when it is cancelled.
     */
    suspend fun sleep(home: CoroutineContext?): Unit =
        if (currentCoroutineContext() === home) sleepAtHome() else sleepAbroad()

    fun wake() {
        takeSleeper()?.intercepted()?.resume(Unit)
    }

    /** As [wake], on a thread on which the rank may continue at once if it sleeps at home. */
    fun wakeHere() {
        takeSleeper()?.resume(Unit)
    }

    /** This call or the first one below it in which the rank still waits. */
    fun nextOpen(): Waiting? {
        var call: Waiting? = this
        while (call != null && (call.hasLeft || !call.isOpen)) call = call.below
        return call
    }

    private suspend fun sleepAtHome(): Unit =
        suspendCoroutineUninterceptedOrReturn { continuation ->
            sleeper = continuation
            val mustStayAwake = !isOpen || !continuation.context.isActive
            if (mustStayAwake && takeSleeper() != null) Unit else COROUTINE_SUSPENDED
        }

    private suspend fun sleepAbroad(): Unit =
        suspendCancellableCoroutine { continuation ->
            sleeper = continuation
            if (!isOpen) wake()
        }

    @Suppress("UNCHECKED_CAST")
    private fun takeSleeper() = SLEEPER.getAndSet(this, null) as Continuation<Unit>?

    private companion object {
        const val STILL_THERE = -1L

        val SLEEPER: AtomicReferenceFieldUpdater<Waiting, Continuation<*>> =
            AtomicReferenceFieldUpdater.newUpdater(Waiting::class.java, Continuation::class.java, "sleeper")
    }
}

/**
 * A snapshot of all ranks during a run.
 *
 * @property busyCount live ranks that do not wait for others
 * @property nextToExpire the open call whose limit passes first
 * @property operationCount how many operations all ranks have begun
 * @property hasHelpers whether a rank has coroutines of its own, so that it may be busy although it waits
 */
internal class Progress(
    val busyCount: Int,
    val nextToExpire: Waiting?,
    private val operationCount: Long,
    private val hasHelpers: Boolean,
) {
    /**
     * Whether no rank can make progress. If two snapshots show all ranks waiting and the same number of operations, all
     * ranks stayed in the same calls; and since a completed wait does not open again, none was about to leave.
     */
    fun isStuckSince(before: Progress): Boolean =
        busyCount == 0 && before.busyCount == 0 && operationCount == before.operationCount && !hasHelpers
}

internal fun Run<*>.progress(): Progress {
    var busyCount = 0
    var operationCount = 0L
    var next: Waiting? = null
    for (seat in seats) {
        operationCount += seat.operationCount
        if (!seat.isLive) continue
        val call = seat.nextToExpire()
        if (call == null) busyCount++
        if (call != null && (next == null || call.deadline < next.deadline)) next = call
    }
    return Progress(busyCount, next, operationCount, busyCount == 0 && seats.any { it.hasHelpers })
}

private fun RankSeat.nextToExpire(): Waiting? {
    var next: Waiting? = null
    var call = latest?.nextOpen()
    while (call != null) {
        if (next == null || call.deadline < next.deadline) next = call
        call = call.below?.nextOpen()
    }
    return next
}
