package dev.cairn.comm

import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.Job
import kotlinx.coroutines.suspendCancellableCoroutine
import java.util.concurrent.atomic.AtomicReference
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater
import kotlin.coroutines.resume

/**
 * One in-process rank: where it is, what it waits for, how it ended. There may be very many, so a seat holds little.
 *
 * The rank itself writes here; the watch over the run reads from other threads.
 */
internal class Seat(
    val rank: Int,
    val host: String,
) {
    val mailbox = Mailbox()

    @Volatile var job: Job? = null

    @Volatile var operationCount: Long = 0
        private set

    /** What the rank said it was doing after its last call. */
    @Volatile var note: String? = null

    /** The latest call; those it is still waiting in hang below it. */
    @Volatile var latest: Waiting? = null
        private set

    private val end = AtomicReference<Outcome<*>?>()

    val outcome: Outcome<*>? get() = end.get()
    val isLive: Boolean get() = end.get() == null

    /** Whether the rank has started coroutines of its own. */
    val hasHelpers: Boolean get() = isLive && job?.children?.any() == true

    /** Whether the rank has just ended; only the first end counts. */
    fun end(outcome: Outcome<*>): Boolean = end.compareAndSet(null, outcome)

    fun countOperation(): Long = ++operationCount

    /** A rank with several coroutines may wait in several calls at once, so the open ones form a chain. */
    @Synchronized
    fun enter(call: Waiting) {
        call.below = latest?.nextOpen()
        latest = call
        note = null
    }

    @Synchronized
    fun leave(
        call: Waiting,
        now: Long,
    ) {
        call.left = now
        if (latest === call && call.below != null) latest = call.below
    }

    /** What this rank waits in, latest first. */
    fun openCalls(): Sequence<Waiting> = generateSequence(latest?.nextOpen()) { it.below?.nextOpen() }

    /** What identifies [whereabouts]: ranks of the same standing are reported together. */
    fun standing(): Any {
        val call = latest
        return listOf(outcome, call?.sharedWait, call?.isOpen, call?.hasLeft, note)
    }

    /** Where the rank is, for people. */
    fun whereabouts(): String {
        val call = latest
        val open = openCalls().firstOrNull()
        val doing = note?.let { ", in '$it'" }.orEmpty()
        return when {
            end.get() is Outcome.Died -> "died at its operation $operationCount, ${after(call)}"
            end.get() != null -> "${end.get()}, ${after(call)}"
            open != null -> "waits in $open since ${open.since} ms for ${open.awaited()}"
            call == null -> "has not called anything yet$doing"
            else -> "${after(call)}$doing"
        }
    }

    private fun after(call: Waiting?) =
        when {
            call == null -> "before its first call"
            call.hasLeft -> "last seen leaving $call at ${call.left} ms"
            else -> "last seen in $call at ${call.since} ms"
        }
}

/**
 * One rank's stay in one call. Times are milliseconds of the run's clock.
 *
 * The rank sleeps while the call is open. Who ends the call wakes it; a rank that falls asleep looks once more, so that
 * one of the two sees the other, and only one of them gets hold of [sleeper].
 */
internal abstract class Waiting(
    val since: Long,
    val deadline: Long,
) {
    @Volatile var below: Waiting? = null

    @Volatile var left: Long = STILL_THERE

    @Volatile private var sleeper: CancellableContinuation<Unit>? = null

    val hasLeft: Boolean get() = left != STILL_THERE

    /** Whether it still needs somebody else to go on. */
    abstract val isOpen: Boolean

    /** Equal for calls that wait for the same thing. */
    abstract val sharedWait: Any

    /** Ends the wait with [failure], unless it is over. */
    abstract fun fail(failure: CommunicatorException)

    /** For whom it waits, for people. */
    abstract fun awaited(): String

    abstract fun rollCall(reason: String): RollCall

    /** Returns when the call is not open any more. */
    suspend fun sleep() {
        if (isOpen) {
            suspendCancellableCoroutine { continuation ->
                sleeper = continuation
                if (!isOpen) wake()
            }
        }
    }

    fun wake() {
        takeSleeper()?.resume(Unit)
    }

    /** Lets the rank go on here and now, if it runs on the threads of [dispatcher], of which this must be one. */
    @OptIn(ExperimentalCoroutinesApi::class)
    fun wakeHere(dispatcher: CoroutineDispatcher) {
        takeSleeper()?.run { dispatcher.resumeUndispatched(Unit) }
    }

    /** This call or the first one below it in which the rank still waits. */
    fun nextOpen(): Waiting? {
        var call: Waiting? = this
        while (call != null && (call.hasLeft || !call.isOpen)) call = call.below
        return call
    }

    @Suppress("UNCHECKED_CAST")
    private fun takeSleeper() = SLEEPER.getAndSet(this, null) as CancellableContinuation<Unit>?

    private companion object {
        const val STILL_THERE = -1L

        val SLEEPER: AtomicReferenceFieldUpdater<Waiting, CancellableContinuation<*>> =
            AtomicReferenceFieldUpdater.newUpdater(
                Waiting::class.java,
                CancellableContinuation::class.java,
                "sleeper",
            )
    }
}
