package dev.cairn.ranks

import dev.cairn.event.counted
import dev.cairn.ranks.RankPlan.Fault
import dev.cairn.ranks.RankPlan.Fault.HostDies
import dev.cairn.ranks.RankPlan.Fault.MessagesAreDelayed
import dev.cairn.ranks.RankPlan.Fault.RankDies
import dev.cairn.ranks.RankPlan.Fault.RankIsSlow
import java.util.concurrent.ConcurrentHashMap
import kotlin.random.Random

/** The [faults] of one run, arranged so that an operation finds its own quickly, and a list of those that have struck. */
internal class FaultTable(faults: List<Fault>, seats: List<RankSeat>) {
    init {
        faults.forEach { it.requireIn(seats) }
        val delays = faults.filterIsInstance<MessagesAreDelayed>()
        require(delays.size <= 1) { "messages are delayed by one fault, not by ${delays.joinToString()}: leave one" }
    }

    private val rankDeaths = faults.filterIsInstance<RankDies>().groupBy { it.rank }
    private val hostDeaths = faults.filterIsInstance<HostDies>().groupBy { it.host }
    private val slowness = faults.filterIsInstance<RankIsSlow>().groupBy { it.rank }
    private val delay = faults.filterIsInstance<MessagesAreDelayed>().singleOrNull()
    private val random = delay?.let { Random(it.seed) }
    private val struck = ConcurrentHashMap.newKeySet<Fault>()

    fun struck(): List<Fault> = struck.toList()

    /** The death that strikes as [seat] begins its [operation]-th operation. A host dies once. */
    fun death(seat: RankSeat, operation: Long): Fault? {
        if (rankDeaths.isEmpty() && hostDeaths.isEmpty()) return null
        val hostDeath = hostDeaths[seat.host]?.firstOrNull { it.operation == operation }
        val rankDeath = rankDeaths[seat.rank]?.firstOrNull { it.operation == operation }
        return (hostDeath ?: rankDeath)?.takeIf(struck::add)
    }

    /** How long [seat] is held up before an operation. */
    fun lostMillis(seat: RankSeat): Long {
        val faults = slowness[seat.rank] ?: return 0
        struck.addAll(faults)
        return faults.sumOf { it.time.inWholeMilliseconds }
    }

    /** How long the next message travels. */
    fun travelMillis(): Long {
        if (delay == null || random == null) return 0
        val millis = synchronized(random) { random.nextLong(delay.time.inWholeMilliseconds + 1) }
        if (millis > 0) struck.add(delay)
        return millis
    }
}

/** Refuses a fault that could never strike one of [seats]. */
private fun Fault.requireIn(seats: List<RankSeat>) {
    val isThere =
        when (this) {
            is RankDies -> rank < seats.size
            is RankIsSlow -> rank < seats.size
            is HostDies -> seats.any { it.host == host }
            is MessagesAreDelayed -> true
        }
    require(isThere) {
        val hosts = seats.map { it.host }.distinct()
        "$this never strikes: the run has ${counted(seats.size, "rank")}, from 0 on, on ${hosts.joinToString()}"
    }
}
