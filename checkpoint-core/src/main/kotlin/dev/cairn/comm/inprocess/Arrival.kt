package dev.cairn.comm.inprocess

import dev.cairn.comm.Operation
import dev.cairn.comm.ROOT
import dev.cairn.comm.callDifference
import dev.cairn.comm.callText
import dev.cairn.comm.rooted
import dev.cairn.failure.CommunicatorException
import dev.cairn.failure.RollCall

/** For whom a rank stays at a meeting. */
internal enum class Awaits { NOBODY, ROOT, ALL }

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
    /** Whether others go on as soon as this one has come. */
    val isAwaitedRoot: Boolean get() = index == root && awaits == Awaits.ROOT

    /** Puts it down at its meeting. */
    fun arrive(conclude: (List<Any?>) -> Any?) = meeting.arrive(this, conclude)

    /** What the rank has waited for. */
    fun outcome(): Any? = meeting.outcome(this)

    override val isOpen: Boolean get() = meeting.isOpenFor(this)

    override fun fail(failure: CommunicatorException) = meeting.fail(failure)

    override val sharedWait: Any get() = meeting to awaits

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
