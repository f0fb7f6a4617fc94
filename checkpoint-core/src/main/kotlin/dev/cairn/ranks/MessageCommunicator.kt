package dev.cairn.ranks

import dev.cairn.event.CallsDifferException
import dev.cairn.ranks.Communicator.Checks
import java.nio.ByteBuffer
import java.util.function.BinaryOperator
import kotlin.time.TimeSource

/**
 * A communicator whose collectives are made of messages. An implementation provides the messages and the parts, and
 * may override each collective that it does faster.
 */
internal abstract class MessageCommunicator : Communicator {
    /** The comparisons between the ranks. */
    protected abstract val checks: Checks

    /** Begins this communicator's next collective. */
    protected abstract fun begin(operation: Operation): Call

    /** Ends it, whether it succeeded or not. */
    protected abstract fun end(call: Call)

    /** Sends a message that belongs to [call] and does not wait for the receiver. */
    protected abstract suspend fun post(call: Call, target: Int, payload: ByteBuffer)

    /** Waits for the next message of [source] that belongs to [call]. */
    protected abstract suspend fun take(call: Call, source: Int): ByteBuffer

    /** The communicator of [members], ranks of this one, among them this rank. All ranks make theirs together. */
    protected abstract suspend fun part(name: String, members: List<Int>): Communicator

    /** The names of all ranks' hosts. */
    protected abstract fun hostOf(rank: Int): String

    override suspend fun barrier(): Unit = collective(Operation.BARRIER) { meet() }

    override suspend fun broadcast(root: Int, payload: ByteBuffer?): ByteBuffer {
        requireRank("the root", root)
        if (rank == root) payloadOfRoot(Operation.BROADCAST, payload)
        return collective(Operation.BROADCAST, root) { spread(root, payload?.copied()) }.view()
    }

    override suspend fun gather(root: Int, payload: ByteBuffer): List<ByteBuffer> {
        requireRank("the root", root)
        return sharedBuffers(collective(Operation.GATHER, root) { collect(root, payload) })
    }

    override suspend fun scatter(root: Int, payloads: List<ByteBuffer>?): ByteBuffer {
        requireRank("the root", root)
        if (rank == root) requireOnePerRank(payloadOfRoot(Operation.SCATTER, payloads))
        return collective(Operation.SCATTER, root) { deal(root, payloads) }.view()
    }

    override suspend fun allGather(payload: ByteBuffer): List<ByteBuffer> =
        sharedBuffers(collective(Operation.ALL_GATHER) { circulate(payload) })

    override suspend fun allToAll(payloads: List<ByteBuffer>): List<ByteBuffer> {
        requireOnePerRank(payloads)
        return sharedBuffers(collective(Operation.ALL_TO_ALL) { exchange(payloads) })
    }

    override suspend fun allReduce(payload: ByteBuffer, combination: BinaryOperator<ByteBuffer>): ByteBuffer =
        collective(Operation.ALL_REDUCE, payload = payload) { combine(payload, combination) }.view()

    override suspend fun exScan(payload: ByteBuffer, combination: BinaryOperator<ByteBuffer>): ByteBuffer? =
        collective(Operation.EX_SCAN, payload = payload) { scanBelow(payload, combination) }?.view()

    override suspend fun split(group: Int, key: Int): Communicator? {
        val payloads = collective(Operation.SPLIT) { circulate(PART_REQUEST.encode(PartRequest(group, key))) }
        val requests = payloads.map(PART_REQUEST::decode)
        val members = (0 until size).filter { requests[it].group == group }
        val part = part("$name/$group", members.sortedBy { requests[it].key })
        return part.takeIf { group >= 0 }
    }

    override suspend fun hostGroup(): Communicator = part("$name/$host", (0 until size).filter { hostOf(it) == host })

    override suspend fun settle(step: String, failure: Throwable?) {
        val own = failure?.let { failureOf(rank, host, it, isHere = true) }
        val settling = (if (activity.isEmpty()) during(step) else during("$activity, $step")) as MessageCommunicator
        val all = settling.collective(Operation.SETTLE) { combine(encode(own), ::joined) }
        val failures = decodeFailures(all, own)
        failed(step, failures, size)
    }

    /** Each rank is a process. */
    override fun <T : Any> shareInProcess(make: (rankCount: Int) -> T): T = make(1)

    private suspend fun <T> collective(
        operation: Operation,
        root: Int = NO_ROOT,
        payload: ByteBuffer = NOTHING,
        algorithm: suspend Wire.() -> T,
    ): T {
        val call = begin(operation)
        try {
            if (checks != Checks.LOCAL) compareCalls(call, root, sizeToCompare(operation, payload))
            return CallWire(call).algorithm()
        } finally {
            end(call)
        }
    }

    private fun sizeToCompare(operation: Operation, payload: ByteBuffer) =
        if (checks == Checks.SIZES && operation.demandsEqualSizes) payload.remaining() else 0

    /** Rank 0 gathers the calls of all ranks, and broadcasts its verdict. */
    private suspend fun compareCalls(call: Call, root: Int, payloadSize: Int) {
        val wire = CallWire(call.check())
        val own = ANNOUNCEMENT.encode(Announcement(payloadSize, rooted(call.toString(), root)))
        val announcements = wire.collect(root = 0, own)
        val verdict = if (rank == 0) bytesOf(differenceIn(announcements)) else null
        val difference = textOf(wire.spread(root = 0, verdict))
        if (difference.isNotEmpty()) throw CallsDifferException(difference)
    }

    private fun differenceIn(payloads: List<ByteBuffer>): String {
        val announcements = payloads.map(ANNOUNCEMENT::decode)
        val sizes = announcements.map { it.payloadSize }
        val calls = announcements.map { it.call }
        val other =
            calls.indices.firstOrNull { calls[it] != calls[0] } ?: return sizeDifference(calls[0], sizes).orEmpty()
        val ranks = calls.indices.filter { calls[it] == calls[0] }
        return callDifference(name, ranks, calls[0], other, calls[other])
    }

    /** One collective call: the [number] it has in its communicator, the same on all ranks, and its name for people. */
    public class Call(public val operation: Operation, public val number: Long, private val text: String) {
        internal val since = TimeSource.Monotonic.markNow()

        /** The check before this call: all ranks meet there, even if their next calls differ. */
        internal fun check() = Call(Operation.CHECK, number, text)

        override fun toString(): String = text
    }

    private inner class CallWire(private val call: Call) : Wire {
        override val rank get() = this@MessageCommunicator.rank
        override val size get() = this@MessageCommunicator.size

        override suspend fun post(target: Int, payload: ByteBuffer) =
            this@MessageCommunicator.post(call, target, payload)

        override suspend fun take(source: Int) = this@MessageCommunicator.take(call, source).view()
    }
}

/** The [group] of ranks to which a rank wants to belong, and the [key] by which they are sorted. */
private class PartRequest(val group: Int, val key: Int)

private val PART_REQUEST =
    MessageFields(
        "the part to which a rank wants to belong",
        PartRequest(0, 0),
    ) { PartRequest(u32(it.group), u32(it.key)) }

/** The [call] that a rank is about to make. */
private class Announcement(val payloadSize: Int, val call: String)

private val ANNOUNCEMENT =
    MessageFields("the call that a rank is about to make", Announcement(0, "")) {
        Announcement(u32(it.payloadSize), text(it.call))
    }
