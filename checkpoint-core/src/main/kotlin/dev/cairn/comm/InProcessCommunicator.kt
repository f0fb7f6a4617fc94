package dev.cairn.comm

import kotlinx.coroutines.delay
import java.nio.ByteBuffer
import kotlin.time.Duration

/** A rank's place in one group, and the meeting it comes to next. Shared by all views of one communicator. */
internal class Membership(
    val seat: Seat,
    val group: SeatGroup,
    val index: Int,
    var nextMeeting: Meeting,
)

/**
 * A communicator of ranks that are coroutines of this process. Each collective is one [Meeting].
 *
 * A rank waits only for those it needs, as it would with messages: [broadcast] and [scatter] wait for the root, and
 * [gather] waits on the root alone. So a program that counts on more is found out here.
 */
internal class InProcessCommunicator(
    private val run: Run<*>,
    private val membership: Membership,
    override val activity: String,
    override val limit: Duration,
) : Communicator {
    private val seat get() = membership.seat
    private val group get() = membership.group

    override val rank: Int get() = membership.index
    override val size: Int get() = group.size
    override val host: String get() = seat.host
    override val name: String get() = group.name

    override fun during(
        activity: String,
        limit: Duration,
    ): Communicator = InProcessCommunicator(run, membership, activity, limit)

    override fun note(place: String) {
        seat.note = place
    }

    override suspend fun send(
        target: Int,
        tag: Int,
        payload: ByteBuffer,
    ) {
        requireRank("the target", target)
        requireTag(tag)
        run.admit(seat) { "send of ${payload.remaining()} bytes to rank $target of $name, tag $tag" }
        val message = Message(payload.copied(), run.travelEnd())
        group.seats[target].mailbox.put(Address(group, rank, tag), message)
    }

    override suspend fun receive(
        source: Int,
        tag: Int,
    ): ByteBuffer {
        requireRank("the source", source)
        requireTag(tag)
        run.admit(seat) { "receive from rank $source of $name, tag $tag" }
        val now = run.clock.millis()
        val reception = Reception(Address(group, source, tag), activity, now, deadline(now, limit))
        seat.mailbox.receive(reception)
        val message = run.stay(seat, reception) { reception.await() }
        val travelMillis = message.visibleAt - run.clock.millis()
        if (travelMillis > 0) delay(travelMillis)
        return message.payload.view()
    }

    override suspend fun barrier() {
        meet(Operation.BARRIER, null) { null }
    }

    override suspend fun broadcast(
        root: Int,
        payload: ByteBuffer?,
    ): ByteBuffer {
        requireRank("the root", root)
        val own =
            if (rank ==
                root
            ) {
                requireNotNull(payload) { "the root of a broadcast must pass a payload" }.copied()
            } else {
                null
            }
        return (meetRoot(Operation.BROADCAST, root, own) as ByteBuffer).view()
    }

    override suspend fun gather(
        root: Int,
        payload: ByteBuffer,
    ): List<ByteBuffer> {
        requireRank("the root", root)
        val visit = visit(Operation.GATHER, root, payload.copied())
        return if (rank == root) payloads(stay(visit) { awaitAll() }) else stay(visit) { emptyList() }
    }

    override suspend fun scatter(
        root: Int,
        payloads: List<ByteBuffer>?,
    ): ByteBuffer {
        requireRank("the root", root)
        val own = if (rank == root) requireNotNull(payloads) { "the root of a scatter must pass payloads" } else null
        own?.let { requireOnePerRank(it) }
        return payloads(meetRoot(Operation.SCATTER, root, own?.map { it.copied() }))[rank]
    }

    override suspend fun allGather(payload: ByteBuffer): List<ByteBuffer> =
        payloads(meet(Operation.ALL_GATHER, payload.copied()) { it })

    override suspend fun allToAll(payloads: List<ByteBuffer>): List<ByteBuffer> {
        requireOnePerRank(payloads)
        val sent = meet(Operation.ALL_TO_ALL, payloads.map { it.copied() }) { it } as List<*>
        return SharedPayloads(List(size) { (sent[it] as List<*>)[rank] as ByteBuffer })
    }

    override suspend fun allReduce(
        payload: ByteBuffer,
        combination: Combination,
    ): ByteBuffer {
        val result =
            meet(Operation.ALL_REDUCE, payload.copied()) { all -> buffers(all).reduce(combination::applyTo) }
        return (result as ByteBuffer).view()
    }

    override suspend fun exScan(
        payload: ByteBuffer,
        combination: Combination,
    ): ByteBuffer? {
        val result =
            meet(Operation.EX_SCAN, payload.copied()) { all ->
                buffers(all).subList(0, all.size - 1).runningReduce(combination::applyTo)
            }
        return if (rank == 0) null else ((result as List<*>)[rank - 1] as ByteBuffer).view()
    }

    override suspend fun split(
        group: Int,
        key: Int,
    ): Communicator? = part(meet(Operation.SPLIT, Wish(group.takeIf { it >= 0 }, key)) { this.group.partition(it) })

    override suspend fun hostGroup(): Communicator =
        checkNotNull(
            part(
                meet(Operation.HOST_GROUP, Wish(host, rank)) {
                    group.partition(it)
                },
            ),
        )

    override suspend fun settle(
        step: String,
        failure: Throwable?,
    ) {
        val result =
            meet(Operation.SETTLE, failure, listOf(activity, step).filter { it.isNotEmpty() }.joinToString()) { all ->
                val failures =
                    all.mapIndexedNotNull {
                        at,
                        it,
                        ->
                        (it as Throwable?)?.let { RankFailure(at, group.seats[at].host, it) }
                    }
                failures.takeIf { it.isNotEmpty() }?.let { RankFailedException(step, it) }
            }
        if (result != null) throw result as RankFailedException
    }

    @Suppress("UNCHECKED_CAST")
    override fun <T : Any> shareInProcess(make: (rankCount: Int) -> T): T {
        val place = membership.nextMeeting
        membership.nextMeeting = place.next()
        return place.share(host, make) as T
    }

    /** Goes to a meeting and waits for all; returns what [conclude] makes of all payloads. */
    private suspend fun meet(
        operation: Operation,
        payload: Any?,
        step: String = activity,
        conclude: (List<Any?>) -> Any?,
    ): Any? = stay(visit(operation, NO_ROOT, payload, step = step, conclude = conclude)) { awaitAll() }

    /** Goes to a meeting and waits for the root alone; returns what the root brought. */
    private suspend fun meetRoot(
        operation: Operation,
        root: Int,
        payload: Any?,
    ): Any? = stay(visit(operation, root, payload, awaitsRoot = true)) { awaitRoot() }

    private class Visit(
        val meeting: Meeting,
        val arrival: Arrival,
        val conclude: (List<Any?>) -> Any?,
    )

    private suspend fun visit(
        operation: Operation,
        root: Int,
        payload: Any?,
        awaitsRoot: Boolean = false,
        step: String = activity,
        conclude: (List<Any?>) -> Any? = { it },
    ): Visit {
        val meeting = membership.nextMeeting
        membership.nextMeeting = meeting.next()
        run.admit(seat) { callText(operation.text, meeting.number, name, step) }
        val now = run.clock.millis()
        return Visit(
            meeting,
            Arrival(meeting, rank, operation, root, awaitsRoot, payload, step, now, deadline(now, limit)),
            conclude,
        )
    }

    private suspend fun <R> stay(
        visit: Visit,
        await: suspend Meeting.() -> R,
    ): R {
        visit.meeting.arrive(visit.arrival, visit.conclude)
        return run.stay(seat, visit.arrival) { visit.meeting.await() }
    }

    private fun part(places: Any?): Communicator? =
        ((places as List<*>)[rank] as Place?)?.let {
            InProcessCommunicator(run, Membership(seat, it.meeting.group, it.index, it.meeting), activity, limit)
        }

    private fun payloads(list: Any?): List<ByteBuffer> = SharedPayloads(buffers(list))

    @Suppress("UNCHECKED_CAST")
    private fun buffers(list: Any?) = list as List<ByteBuffer>
}
