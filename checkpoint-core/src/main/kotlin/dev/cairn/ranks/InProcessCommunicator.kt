package dev.cairn.ranks

import dev.cairn.event.RankFailedException
import dev.cairn.event.RanksMissingException
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.delay
import java.nio.ByteBuffer
import java.util.function.BinaryOperator
import kotlin.time.Duration

/** A rank's place in one group, and the meeting it comes to next. Shared by all views of one communicator. */
internal class Membership(
    val seat: RankSeat,
    val group: SeatGroup,
    val index: Int,
    private var nextMeeting: CollectiveCall,
) {
    fun toNextMeeting(): CollectiveCall = nextMeeting.also { nextMeeting = it.next() }
}

/**
 * A communicator of ranks that are coroutines of this process. Each collective is one [CollectiveCall].
 *
 * A rank waits only for those it needs, as it would with messages: [broadcast] and [scatter] wait for the root, and
 * [gather] waits on the root alone. So a program that relies on more is detected here.
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
    val runClock: RunClock get() = run.clock

    /** Whether this rank has not died or ended. */
    val isLive: Boolean get() = seat.isLive

    fun requirePresent() = seat.requirePresent()

    override fun during(activity: String, limit: Duration): Communicator =
        InProcessCommunicator(run, membership, activity, limit)

    override fun note(place: String) {
        seat.note = place
    }

    override suspend fun send(target: Int, tag: Int, payload: ByteBuffer) {
        requireRank("the target", target)
        requireTag(tag)
        run.admit(seat) { "send of ${payload.remaining()} bytes to rank $target of $name, tag $tag" }
        val message = Message(payload.copied(), run.travelEnd())
        group.seats[target].mailbox.put(Address(group, rank, tag), message)
    }

    override suspend fun receive(source: Int, tag: Int): ByteBuffer {
        requireRank("the source", source)
        requireTag(tag)
        run.admit(seat) { "receive from rank $source of $name, tag $tag" }
        val reception = Reception(Address(group, source, tag), activity)
        reception.begin(run.clock.millis(), limit)
        seat.mailbox.receive(reception)
        val message = await(reception)
        val travelMillis = message.visibleAt - run.clock.millis()
        if (travelMillis > 0) delay(travelMillis)
        return message.payload.view()
    }

    override suspend fun poll(source: Int, tag: Int): ByteBuffer? {
        requireRank("the source", source)
        requireTag(tag)
        run.admit(seat) { "poll of rank $source of $name, tag $tag" }
        val reception = Reception(Address(group, source, tag), activity)
        val mayStillSend = group.seats[source].isLive
        val message = seat.mailbox.poll(reception.address, run.clock.millis())
        if (message == null && !mayStillSend && !seat.mailbox.holds(reception.address)) {
            throw RanksMissingException(reception.rollCall("it has ended"))
        }
        return message?.payload?.view()
    }

    private suspend fun await(reception: Reception): Message =
        try {
            run.stay(seat, reception)
            reception.message()
        } catch (cancellation: CancellationException) {
            reception.giveUp(cancellation)
            throw cancellation
        }

    override suspend fun barrier() {
        attend(arrival(Operation.BARRIER))
    }

    override suspend fun broadcast(root: Int, payload: ByteBuffer?): ByteBuffer {
        requireRank("the root", root)
        val own = if (rank == root) payloadOfRoot(Operation.BROADCAST, payload).copiedBytes() else null
        return (attend(arrival(Operation.BROADCAST, own, Awaits.ROOT, root)) as ByteArray).view()
    }

    override suspend fun gather(root: Int, payload: ByteBuffer): List<ByteBuffer> {
        requireRank("the root", root)
        val awaits = if (rank == root) Awaits.ALL else Awaits.NONE
        val arrival = arrival(Operation.GATHER, payload.copiedBytes(), awaits, root)
        return attend(arrival) { it.toList() }?.let(::payloads).orEmpty()
    }

    override suspend fun scatter(root: Int, payloads: List<ByteBuffer>?): ByteBuffer {
        requireRank("the root", root)
        val own = if (rank == root) copies(payloadOfRoot(Operation.SCATTER, payloads)) else null
        return byteArrays(attend(arrival(Operation.SCATTER, own, Awaits.ROOT, root)))[rank].view()
    }

    override suspend fun allGather(payload: ByteBuffer): List<ByteBuffer> =
        payloads(attend(arrival(Operation.ALL_GATHER, payload.copiedBytes())) { it.toList() })

    override suspend fun allToAll(payloads: List<ByteBuffer>): List<ByteBuffer> {
        val sent = attend(arrival(Operation.ALL_TO_ALL, copies(payloads))) { it.toList() } as List<*>
        return payloads(List(size) { byteArrays(sent[it])[rank] })
    }

    override suspend fun allReduce(payload: ByteBuffer, combination: BinaryOperator<ByteBuffer>): ByteBuffer {
        val arrival = arrival(Operation.ALL_REDUCE, payload.copiedBytes())
        val result = attend(arrival) { combination.combineAll(byteArrays(it)) }
        return (result as ByteArray).view()
    }

    override suspend fun exScan(payload: ByteBuffer, combination: BinaryOperator<ByteBuffer>): ByteBuffer? {
        val arrival = arrival(Operation.EX_SCAN, payload.copiedBytes())
        val result = attend(arrival) { combination.combineBelow(byteArrays(it)) }
        return if (rank == 0) null else byteArrays(result)[rank - 1].view()
    }

    override suspend fun split(group: Int, key: Int): Communicator? =
        part(Operation.SPLIT, SplitRequest(group.takeIf { it >= 0 }, key))

    override suspend fun hostGroup(): Communicator = checkNotNull(part(Operation.HOST_GROUP, SplitRequest(host, rank)))

    private suspend fun part(operation: Operation, request: SplitRequest): Communicator? {
        val places = attend(arrival(operation, request)) { group.partition(it) } as List<*>
        val place = places[rank] as SplitPlace? ?: return null
        return InProcessCommunicator(
            run,
            Membership(seat, place.meeting.group, place.index, place.meeting),
            activity,
            limit,
        )
    }

    override suspend fun settle(step: String, failure: Throwable?) {
        val nested = if (activity.isEmpty()) step else "$activity, $step"
        val failures = attend(arrival(Operation.SETTLE, failure, step = nested), ::failures) as List<*>
        failed(step, failures.map { it as RankFailedException.Failure }, size)
    }

    private fun failures(all: List<Any?>): List<RankFailedException.Failure> =
        all.indices.filter { all[it] != null }.map { failureOf(it, group.seats[it].host, all[it] as Throwable) }

    @Suppress("UNCHECKED_CAST")
    override fun <T : Any> shareInProcess(make: (rankCount: Int) -> T): T =
        membership.toNextMeeting().share(host, make) as T

    private fun arrival(
        operation: Operation,
        payload: Any? = null,
        awaits: Awaits = Awaits.ALL,
        root: Int = NO_ROOT,
        step: String = activity,
    ) = Arrival(membership.toNextMeeting(), rank, operation, root, awaits, payload, step)

    /**
     * Joins a meeting and waits for the awaited ranks. Returns the payload of the root, or the result of [conclude] for
     * all payloads. Inlined, because one more frame for each of very many ranks costs as much as the rest of a call.
     */
    private suspend inline fun attend(arrival: Arrival, noinline conclude: (List<Any?>) -> Any? = { null }): Any? {
        run.admit(seat) { arrival.toString() }
        arrival.begin(run.clock.millis(), limit)
        arrival.arrive(conclude)
        run.stay(seat, arrival)
        return arrival.outcome()
    }

    private fun copies(payloads: List<ByteBuffer>): List<ByteArray> {
        requireOnePerRank(payloads)
        return payloads.map { it.copiedBytes() }
    }

    private fun payloads(list: Any?): List<ByteBuffer> = sharedBytes(byteArrays(list))

    @Suppress("UNCHECKED_CAST")
    private fun byteArrays(list: Any?) = list as List<ByteArray>
}

/** Refuses a call after the end of this rank; a transport refuses it by itself. */
internal fun Communicator.requirePresent() {
    (this as? InProcessCommunicator)?.requirePresent()
}
