package dev.cairn.ranks

import dev.cairn.event.CallsDifferException
import dev.cairn.event.RanksMissingException.Absentee
import dev.cairn.event.RollCall
import dev.cairn.event.rankText
import dev.cairn.ranks.Communicator.Checks
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicReference
import java.util.concurrent.atomic.AtomicReferenceArray

/** The in-process ranks of one communicator, in their order. */
internal class SeatGroup(
    val name: String,
    val seats: List<RankSeat>,
    val checks: Checks,
    val scheduler: RankScheduler,
) {
    private val rankCounts by lazy { seats.groupingBy { it.host }.eachCount() }

    val size: Int get() = seats.size

    fun rankCount(host: String): Int = rankCounts.getValue(host)
}

/**
 * One collective call of in-process ranks: each rank deposits its payload, and the last to arrive computes the result
 * for all. Meetings of a group form a chain, and each rank walks along it, so a meeting that all have left is garbage.
 */
internal class CollectiveCall(val group: SeatGroup, val number: Long) {
    /** Null as soon as the result of this meeting is known: a completed call must not keep all others alive. */
    @Volatile private var arrivals: AtomicReferenceArray<Arrival>? = AtomicReferenceArray(group.size)

    private val arrivedCount = AtomicInteger()
    private val first = AtomicReference<Arrival?>()
    private val successor = AtomicReference<CollectiveCall?>()
    private val conclusion = Completion<Any?>()
    private val rootPayload = Completion<Any?>()
    private val shared = HashMap<String, Any>()

    /** The meeting after this one. */
    fun next(): CollectiveCall = successor.get() ?: CollectiveCall(group, number + 1).let { successor.setIfAbsent(it) }

    /** The object made by the first rank of a [host] to arrive. A meeting for sharing has no other purpose. */
    @Synchronized
    fun share(host: String, make: (rankCount: Int) -> Any): Any {
        if (arrivedCount.incrementAndGet() == group.size) letGoOfSuccessor()
        return shared.getOrPut(host) { make(group.rankCount(host)) }
    }

    /**
     * Deposits [arrival]. [conclude] turns all payloads, in the order of ranks, into the result for ranks that await
     * all.
     */
    fun arrive(arrival: Arrival, conclude: (List<Any?>) -> Any?) {
        arrivals?.set(arrival.index, arrival)
        val opener = first.get() ?: first.setIfAbsent(arrival)
        val difference = opener.callDifference(arrival)?.let(::CallsDifferException)?.also(::fail)
        if (arrival.isAwaitedRoot && rootPayload.keep(arrival.payload)) wake(arrivals)
        if (arrivedCount.incrementAndGet() == group.size) conclude(arrival, conclude)
        // Ranks that wait only for the root may have left with their result; this rank must not leave.
        if (difference != null) throw difference
    }

    fun isOpenFor(arrival: Arrival): Boolean =
        when (arrival.awaits) {
            Awaits.NONE -> false
            Awaits.ROOT -> rootPayload.isOpen
            Awaits.ALL -> conclusion.isOpen
        }

    /** The result for which [arrival] has waited. */
    fun outcome(arrival: Arrival): Any? =
        when (arrival.awaits) {
            Awaits.NONE -> null
            Awaits.ROOT -> rootPayload.outcome()
            Awaits.ALL -> conclusion.outcome()
        }

    fun fail(failure: Throwable) {
        val isNew = conclusion.breakOff(failure) or rootPayload.breakOff(failure)
        if (isNew) wake(arrivals)
    }

    /** The ranks for which [arrival] waits, lowest first. */
    fun missing(arrival: Arrival): List<Int> =
        when (arrival.awaits) {
            Awaits.ROOT -> listOf(arrival.root)
            else -> arrivals?.let { all -> (0 until group.size).filter { all.get(it) == null } }.orEmpty()
        }

    /** Counts the ranks if there are very many, since listing them is costly. */
    fun awaited(arrival: Arrival): String {
        val isLong = group.size > LISTED_SIZE && arrival.awaits == Awaits.ALL
        return if (isLong) "${group.size - arrivedCount.get()} ranks" else rankText(missing(arrival))
    }

    fun rollCall(arrival: Arrival, reason: String): RollCall {
        val absentees = missing(arrival).map { it to group.seats[it] }
        return RollCall(
            arrival.toString(),
            arrivedCount.get(),
            absentees.map { (index, seat) -> Absentee(index, seat.host, seat.whereabouts()) },
            reason,
        )
    }

    private fun conclude(last: Arrival, conclude: (List<Any?>) -> Any?) {
        letGoOfSuccessor()
        val all = checkNotNull(arrivals)
        try {
            val payloads = Payloads(all)
            if (last.operation.demandsEqualSizes && group.checks == Checks.SIZES) requireEqualSizes(payloads)
            conclusion.keep(conclude(payloads))
        } catch (failure: Throwable) {
            fail(failure)
        }
        arrivals = null
        // Where there is a root, only the root waits for all.
        if (last.root == NO_ROOT) wake(all) else all.get(last.root).wake()
    }

    /** All ranks have taken the result. If this meeting became garbage late, it would keep all later ones alive. */
    private fun letGoOfSuccessor() = successor.set(null)

    private fun wake(arrivals: AtomicReferenceArray<Arrival>?) {
        if (arrivals != null) group.scheduler.wake(group.size, arrivals::get)
    }

    private fun requireEqualSizes(payloads: List<Any?>) {
        val sizes = payloads.map { (it as ByteArray).size }
        sizeDifference(first.get().toString(), sizes)?.let { throw CallsDifferException(it) }
    }

    /** The payloads of all ranks, looked up on access. */
    private class Payloads(private val arrivals: AtomicReferenceArray<Arrival>) :
        AbstractList<Any?>(),
        RandomAccess {
        override val size get() = arrivals.length()

        override fun get(index: Int) = arrivals.get(index).payload
    }
}

private const val LISTED_SIZE = 1024

/** The final content: [value], unless another rank was faster. */
private fun <T> AtomicReference<T?>.setIfAbsent(value: T): T = compareAndExchange(null, value) ?: value

/** The group that a rank wants to join, and its order there; a null [group] joins none. */
internal class SplitRequest(val group: Any?, val key: Int)

/** A rank's place in its part: the first meeting there, and its index. */
internal class SplitPlace(val meeting: CollectiveCall, val index: Int)

/** One place for each rank, or null for those without a group. [requests] are in the order of ranks. */
internal fun SeatGroup.partition(requests: List<Any?>): List<SplitPlace?> {
    val places = arrayOfNulls<SplitPlace>(size)
    val parts = requests.indices.groupBy { (requests[it] as SplitRequest).group }
    for ((part, ranks) in parts) {
        if (part == null) continue
        val members = ranks.sortedBy { (requests[it] as SplitRequest).key }
        val meeting = CollectiveCall(SeatGroup("$name/$part", members.map { seats[it] }, checks, scheduler), number = 1)
        members.forEachIndexed { index, rank -> places[rank] = SplitPlace(meeting, index) }
    }
    return places.asList()
}
