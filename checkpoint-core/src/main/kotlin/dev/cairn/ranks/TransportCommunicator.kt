package dev.cairn.ranks

import dev.cairn.ranks.Communicator.Checks
import kotlinx.coroutines.withContext
import java.nio.ByteBuffer
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * A communicator over a [Transport]. Made by [TransportCommunicator.connect]; it does not own the transport.
 *
 * All calls of the transport happen in the given context, which must stay on one thread. While a call waits for other
 * ranks it blocks that thread, except for short moments in which other coroutines of the thread may have their turn.
 */
internal class TransportCommunicator private constructor(
    private val line: TransportSession,
    private val members: Members,
    override val checks: Checks,
    override val activity: String,
    override val limit: Duration,
) : MessageCommunicator() {
    override val rank: Int get() = members.rank
    override val size: Int get() = members.ranks.size
    override val host: String get() = line.transport.host
    override val name: String get() = members.name

    override fun during(activity: String, limit: Duration): Communicator =
        TransportCommunicator(line, members, checks, activity, limit)

    override fun note(place: String): Unit = line.note(place)

    override suspend fun send(target: Int, tag: Int, payload: ByteBuffer) {
        requireRank("the target", target)
        requireTag(tag)
        val transportTag = Tags.ofMessage(members.context, tag)
        withContext(line.thread) { line.transport.send(members.ranks[target], transportTag, payload) }
    }

    override suspend fun receive(source: Int, tag: Int): ByteBuffer {
        requireRank("the source", source)
        requireTag(tag)
        val text = "receive (tag $tag) of $name" + if (activity.isEmpty()) "" else " during '$activity'"
        val transportTag = Tags.ofMessage(members.context, tag)
        val now = TimeSource.Monotonic.markNow()
        val stay = Stay(text, members, transportTag, Stay.NO_NUMBER, source, now, limit)
        return withContext(line.thread) { line.take(stay) }.view()
    }

    override suspend fun poll(source: Int, tag: Int): ByteBuffer? {
        requireRank("the source", source)
        requireTag(tag)
        val peer = members.ranks[source]
        val onTransport = Tags.ofMessage(members.context, tag)
        return withContext(line.thread) { line.transport.receive(peer, onTransport, nanos = 0) }?.view()
    }

    /** Ends the whole job at once, on all ranks. For a program that cannot continue after an exception. */
    suspend fun abort(reason: String): Unit = withContext(line.thread) { line.transport.abort(reason) }

    override fun begin(operation: Operation): Call {
        val number = (members.latestCall?.number ?: 0) + 1
        val call = Call(operation, number, callText(operation.text, number, name, activity))
        return call.also { members.latestCall = it }
    }

    override fun end(call: Call): Unit = line.left(call.toString())

    override suspend fun post(call: Call, target: Int, payload: ByteBuffer): Unit =
        withContext(line.thread) {
            line.transport.send(members.ranks[target], Tags.ofCall(members.context, call), payload)
        }

    override suspend fun take(call: Call, source: Int): ByteBuffer {
        val stay =
            Stay(call.toString(), members, Tags.ofCall(members.context, call), call.number, source, call.since, limit)
        return withContext(line.thread) { line.take(stay) }
    }

    override fun hostOf(rank: Int): String = line.hosts[members.ranks[rank]]

    /** The ranks agree on a context that none of them has used. */
    override suspend fun part(name: String, members: List<Int>): Communicator {
        val context = allReduce(line.nextContext.toLong(), Math::max).toInt()
        check(context < Tags.CONTEXT_COUNT - 1) {
            "${this.name} cannot be split any more: a transport distinguishes $context communicators. Keep the " +
                "parts and use them again"
        }
        line.nextContext = context + 1
        val ranks = members.map { this.members.ranks[it] }
        val part = Members(name, context, ranks.toIntArray(), ranks.indexOf(line.transport.rank))
        return TransportCommunicator(line.also { it.join(part) }, part, checks, activity, limit)
    }

    companion object {
        /**
         * Collective over [transport]: the ranks learn each other's hosts. [thread] is the context in which the
         * transport is called; by default that of the caller. Ranks that do not answer a roll call within [answerTime]
         * are missing.
         */
        suspend fun connect(
            transport: Transport,
            checks: Checks = Checks.LOCAL,
            limit: Duration = 10.minutes,
            thread: CoroutineContext = EmptyCoroutineContext,
            answerTime: Duration = 5.seconds,
        ): TransportCommunicator {
            val line = TransportSession(transport, thread, answerTime)
            val world = Members("world", context = 0, IntArray(transport.size) { it }, transport.rank)
            line.join(world)
            val communicator = TransportCommunicator(line, world, checks, activity = "", limit)
            line.hosts = communicator.during("connect").allGatherText(transport.host)
            return communicator
        }
    }
}

/** The ranks of one communicator, as ranks of the transport, and the latest collective of this rank. */
internal class Members(val name: String, val context: Int, val ranks: IntArray, val rank: Int) {
    @Volatile var latestCall: MessageCommunicator.Call? = null

    /** Whether this rank has reached the call with this [tag] and [number], or is past it. */
    fun hasCome(tag: Int, number: Long): Boolean {
        val latest = latestCall ?: return false
        val isLatest = tag == Tags.ofCall(context, latest) || tag == Tags.ofCall(context, latest.check())
        return number != Stay.NO_NUMBER && (latest.number > number || isLatest)
    }
}
