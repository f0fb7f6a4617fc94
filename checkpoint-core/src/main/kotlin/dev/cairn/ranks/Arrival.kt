package dev.cairn.ranks

import dev.cairn.event.CommunicatorException
import dev.cairn.event.RollCall

/** The ranks for which a rank waits at a meeting. */
internal enum class Awaits { NONE, ROOT, ALL }

/** One rank's arrival at a meeting. */
internal class Arrival(
    private val meeting: CollectiveCall,
    val index: Int,
    val operation: Operation,
    val root: Int,
    val awaits: Awaits,
    val payload: Any?,
    private val activity: String,
) : Waiting() {
    /** Whether others continue as soon as this one has arrived. */
    val isAwaitedRoot: Boolean get() = index == root && awaits == Awaits.ROOT

    /** Deposits it at its meeting. */
    fun arrive(conclude: (List<Any?>) -> Any?) = meeting.arrive(this, conclude)

    /** The result for which the rank has waited. */
    fun outcome(): Any? = meeting.outcome(this)

    override val isOpen: Boolean get() = meeting.isOpenFor(this)

    override fun fail(failure: CommunicatorException) = meeting.fail(failure)

    override val sharedWait: Any get() = meeting to awaits

    override fun awaited(): String = meeting.awaited(this)

    override fun missingSeats(): List<RankSeat> = meeting.missing(this).map(meeting.group.seats::get)

    override fun rollCall(reason: String): RollCall = meeting.rollCall(this, reason)

    /** The difference of the later arrival [other] from this call; null if they agree. */
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
