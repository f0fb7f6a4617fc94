package dev.cairn.comm

import kotlinx.coroutines.CompletableDeferred
import java.nio.ByteBuffer
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicReference
import java.util.concurrent.atomic.AtomicReferenceArray

/** The in-process ranks of one communicator, in their order. */
internal class SeatGroup(
    val name: String,
    val seats: List<Seat>,
    val checks: Checks,
) {
    private val rankCounts by lazy { seats.groupingBy { it.host }.eachCount() }

    val size: Int get() = seats.size

    fun rankCount(host: String): Int = rankCounts.getValue(host)
}

/**
 * One collective call of in-process ranks: everybody puts down what it brings, and the last to come concludes for all.
 * Meetings of a group form a chain, and each rank walks along it, so a meeting that all have left is garbage.
 */
internal class Meeting(
    val group: SeatGroup,
    val number: Long,
) {
    private val arrivals = AtomicReferenceArray<Arrival>(group.size)
    private val arrivedCount = AtomicInteger()
    private val first = AtomicReference<Arrival>()
    private val successor = AtomicReference<Meeting>()
    private val conclusion = CompletableDeferred<Any?>()
    private val rootPayload = CompletableDeferred<Any?>()
    private val shared = HashMap<String, Any>()

    /** The meeting after this one. */
    fun next(): Meeting {
        if (successor.get() == null) successor.compareAndSet(null, Meeting(group, number + 1))
        return successor.get()
    }

    /** What the first of a [host] to come here makes. Those who share come to this meeting for nothing else. */
    @Synchronized
    fun share(
        host: String,
        make: (rankCount: Int) -> Any,
    ): Any = shared.getOrPut(host) { make(group.rankCount(host)) }

    /** Puts [arrival] down. [conclude] turns all payloads, in the order of ranks, into what [awaitAll] returns. */
    fun arrive(
        arrival: Arrival,
        conclude: (List<Any?>) -> Any?,
    ) {
        arrivals.set(arrival.index, arrival)
        val opener = if (first.compareAndSet(null, arrival)) arrival else first.get()
        opener.callDifference(arrival)?.let { fail(CallsDifferException(it)) }
        if (arrival.index == arrival.root) rootPayload.complete(arrival.payload)
        if (arrivedCount.incrementAndGet() == group.size) conclude(arrival.operation, conclude)
    }

    suspend fun awaitAll(): Any? = conclusion.await()

    suspend fun awaitRoot(): Any? = rootPayload.await()

    fun isOpenFor(arrival: Arrival): Boolean = if (arrival.awaitsRoot) rootPayload.isActive else conclusion.isActive

    fun fail(failure: Throwable) {
        conclusion.completeExceptionally(failure)
        rootPayload.completeExceptionally(failure)
    }

    /** The ranks for which [arrival] waits, lowest first. */
    fun missing(arrival: Arrival): List<Int> =
        if (arrival.awaitsRoot) listOf(arrival.root) else (0 until group.size).filter { arrivals.get(it) == null }

    /** Counting is cheap, listing is not when each of very many ranks is asked. */
    fun awaited(arrival: Arrival): String =
        if (group.size > LISTED_SIZE &&
            !arrival.awaitsRoot
        ) {
            "${group.size - arrivedCount.get()} ranks"
        } else {
            rankText(missing(arrival))
        }

    fun rollCall(
        arrival: Arrival,
        reason: String,
    ): RollCall {
        val absentees =
            missing(
                arrival,
            ).map { RollCall.Absentee(it, group.seats[it].host, group.seats[it].whereabouts()) }
        return RollCall(arrival.toString(), arrivedCount.get(), absentees, reason)
    }

    private fun conclude(
        operation: Operation,
        conclude: (List<Any?>) -> Any?,
    ) {
        val payloads = List(group.size) { arrivals.get(it).payload }
        try {
            if (operation.demandsEqualSizes && group.checks == Checks.SIZES) requireEqualSizes(payloads)
            conclusion.complete(conclude(payloads))
        } catch (failure: Throwable) {
            fail(failure)
        }
    }

    private fun requireEqualSizes(payloads: List<Any?>) {
        val sizes = payloads.map { (it as ByteBuffer).limit() }
        sizeDifference(first.get().toString(), sizes)?.let { throw CallsDifferException(it) }
    }

    private companion object {
        const val LISTED_SIZE = 1024
    }
}

/** One rank's arrival at a meeting. [awaitsRoot] tells whether it goes on as soon as the root has come. */
internal class Arrival(
    private val meeting: Meeting,
    val index: Int,
    val operation: Operation,
    val root: Int,
    val awaitsRoot: Boolean,
    val payload: Any?,
    private val activity: String,
    since: Long,
    deadline: Long,
) : Waiting(since, deadline) {
    override val isOpen: Boolean get() = meeting.isOpenFor(this)

    override fun fail(failure: CommunicatorException) = meeting.fail(failure)

    override val sharedWait: Any get() = meeting to awaitsRoot

    override fun awaited(): String = meeting.awaited(this)

    override fun rollCall(reason: String): RollCall = meeting.rollCall(this, reason)

    /** In what [other], which came later, is not the same call as this one; null if it is. */
    fun callDifference(other: Arrival): String? {
        if (operation == other.operation && root == other.root && activity == other.activity) return null
        return callDifference(
            meeting.group.name,
            listOf(index),
            rooted(toString(), root),
            other.index,
            rooted(other.toString(), other.root),
        )
    }

    override fun toString(): String = callText(operation.text, meeting.number, meeting.group.name, activity)
}
