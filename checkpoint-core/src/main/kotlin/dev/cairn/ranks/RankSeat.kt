package dev.cairn.ranks

import dev.cairn.ranks.RunReport.Outcome
import kotlinx.coroutines.InternalCoroutinesApi
import kotlinx.coroutines.job
import kotlin.coroutines.CoroutineContext

/**
 * The state of one in-process rank: its position, its waits and its outcome. There may be very many, so a seat is small.
 *
 * The rank itself writes here; the watch over the run reads from other threads.
 */
internal class RankSeat(val rank: Int, val host: String) {
    val mailbox = Mailbox()

    /** The context of the rank's own coroutine, once it has begun. */
    @Volatile var home: CoroutineContext? = null
        private set

    @Volatile var operationCount: Long = 0
        private set

    /** The activity that the rank noted after its last call. */
    @Volatile var note: String? = null

    /** The latest call; those it is still waiting in hang below it. */
    @Volatile var latest: Waiting? = null
        private set

    @Volatile var outcome: Outcome<*>? = null
        private set

    val isLive: Boolean get() = outcome == null

    /** Whether none of its own code is left to run. A rank that died still unwinds, until the end of the run. */
    private val hasLeft: Boolean
        get() = if (outcome is Outcome.Died) home?.job?.isCompleted == true else outcome != null

    /** Refuses a call that comes from elsewhere, after the rank's part of the run: it would wait for ever. */
    fun requirePresent() =
        check(!hasLeft) {
            "the run of rank $rank is over, and so is the use of its communicators and of the checkpoints opened " +
                "with them: make this call before the body of the rank returns."
        }

    /** Whether the rank has started coroutines of its own. */
    val hasHelpers: Boolean get() = isLive && home?.job?.children?.any() == true

    /** The rank begins, in the coroutine of [home]. If that is cancelled, it wakes up from any wait. */
    @OptIn(InternalCoroutinesApi::class)
    fun begin(home: CoroutineContext) {
        this.home = home
        home.job.invokeOnCompletion(onCancelling = true) { openCalls().forEach(Waiting::wake) }
    }

    /** Whether the rank has just ended; only the first end counts. */
    @Synchronized
    fun end(outcome: Outcome<*>): Boolean {
        if (!isLive) return false
        this.outcome = outcome
        return true
    }

    fun countOperation(): Long = ++operationCount

    /** A rank with several coroutines may wait in several calls at once, so the open ones form a chain. */
    @Synchronized
    fun enter(call: Waiting) {
        call.below = latest?.nextOpen()
        latest = call
        note = null
    }

    @Synchronized
    fun leave(call: Waiting, now: Long) {
        call.left = now
        if (latest === call && call.below != null) latest = call.below
    }

    /** The calls in which this rank waits, latest first. */
    fun openCalls(): Sequence<Waiting> = generateSequence(latest?.nextOpen()) { it.below?.nextOpen() }

    /** The key of [whereabouts]: ranks with the same key are reported together. */
    fun standing(): Any {
        val call = latest
        return listOf(outcome, call?.sharedWait, call?.isOpen, call?.hasLeft, note)
    }

    /** The position of the rank, in words. */
    fun whereabouts(): String {
        val call = latest
        val open = openCalls().firstOrNull()
        val doing = note?.let { ", in '$it'" }.orEmpty()
        return when {
            outcome is Outcome.Died -> "died at its operation $operationCount, ${after(call)}"
            outcome != null -> "$outcome, ${after(call)}"
            open != null -> "waits in $open since ${open.since} ms for ${open.awaited()}"
            call == null -> "has made no call yet$doing"
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
