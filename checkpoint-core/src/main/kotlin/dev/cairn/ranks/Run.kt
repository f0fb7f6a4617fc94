package dev.cairn.ranks

import dev.cairn.event.CommunicatorException
import dev.cairn.event.RankFailedException
import dev.cairn.event.RanksMissingException
import dev.cairn.ranks.RankPlan.Fault
import dev.cairn.ranks.RankPlan.RunEvent
import dev.cairn.ranks.RunReport.Outcome
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.ensureActive
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicReference
import kotlin.time.TimeSource

/** The time in a run, real or simulated. */
internal class RunClock(
    /** The clock as others read it. */
    val source: TimeSource.WithComparableMarks,
) {
    private val start = source.markNow()

    val isSimulated: Boolean get() = source !== TimeSource.Monotonic

    /** Milliseconds since the start of the run. */
    fun millis(): Long = start.elapsedNow().inWholeMilliseconds
}

/**
 * The clock by which the program of this rank plans: simulated in a run with a deterministic schedule, so that the same seed
 * plans the same. A simulated clock stands still while a rank computes.
 */
internal val Communicator.clock: TimeSource.WithComparableMarks
    get() = (this as? InProcessCommunicator)?.runClock?.source ?: TimeSource.Monotonic

/**
 * One run of in-process ranks: it owns their seats, lets every operation in, and ends for all when one rank fails.
 * The [RankScheduler] decides the order of ranks and the end of waits.
 */
internal class Run<T>(
    private val plan: RankPlan,
    private val scheduler: RankScheduler,
    private val body: suspend Communicator.() -> T,
) {
    val clock: RunClock get() = scheduler.clock
    val seats = List(plan.count) { RankSeat(it, plan.hosts.apply(it)) }
    private val faults = FaultTable(plan.faults, seats)
    private val liveCount = AtomicInteger(plan.count)
    private val verdict = AtomicReference<CommunicatorException>()
    private var standings = emptyList<Standing>()

    /** Done when no rank is live any more. */
    val allEnded = CompletableDeferred<Unit>()

    /** Done when no rank is live any more, or one has failed. */
    val decided = CompletableDeferred<Unit>()

    /** One part for each rank to [play]. They are not kept here, so that meetings that all have left are garbage. */
    fun parts(): List<Membership> {
        val first = CollectiveCall(SeatGroup("world", seats, plan.checks, scheduler), number = 1)
        return seats.map { Membership(it, first.group, it.rank, first) }
    }

    /** Plays the part of one rank, to its end. */
    suspend fun play(part: Membership) {
        val seat = part.seat
        seat.begin(currentCoroutineContext())
        val world = InProcessCommunicator(this, part, activity = "", plan.limit)
        try {
            end(seat, Outcome.Returned(world.body()))
        } catch (failure: Throwable) {
            if (seat.end(Outcome.Threw(failure))) {
                giveUp(seat, failure)
                countEnd(seat)
            }
        }
    }

    /** Every operation passes here before it begins. */
    suspend inline fun admit(seat: RankSeat, operation: () -> String) {
        currentCoroutineContext().ensureActive()
        ProgramCode.requireNone()
        seat.requirePresent()
        if (!seat.isLive) awaitCancellation()
        verdict.get()?.let { throw it }
        observe(seat, operation)
        faults.death(seat, seat.countOperation())?.let { die(seat, it) }
        if (!seat.isLive) awaitCancellation()
        val lostMillis = faults.lostMillis(seat)
        if (lostMillis > 0) delay(lostMillis)
    }

    /**
     * Lets a rank stay in [call] while it is open. The rank must have completed its part for others before: a rank that
     * stays counts as waiting.
     */
    suspend inline fun stay(seat: RankSeat, call: Waiting) {
        seat.enter(call)
        // Looked at after entering: either this rank sees the verdict, or the one that fails sees this rank.
        verdict.get()?.let(call::fail)
        try {
            while (call.isOpen) {
                call.sleep(seat.home)
                currentCoroutineContext().ensureActive()
            }
        } finally {
            seat.leave(call, clock.millis())
        }
        if (seat.outcome is Outcome.Died) awaitCancellation()
    }

    fun travelEnd(): Long = clock.millis() + faults.travelMillis()

    /** Ends [call], which no further rank will reach, because of the rank that is missing, there or where the awaited ones wait. */
    fun expire(call: Waiting, reason: String) = call.fail(RanksMissingException(call.origin().rollCall(reason)))

    fun report(): RunReport<T> {
        @Suppress("UNCHECKED_CAST")
        val outcomes = seats.map { (it.outcome ?: Outcome.Stopped) as Outcome<T> }
        return RunReport(plan, clock.millis(), outcomes, standings, unreceived(), faults.struck())
    }

    private fun die(seat: RankSeat, death: Fault) {
        if (death is Fault.HostDies) {
            seats.filter { it.host == death.host }.forEach { end(it, Outcome.Died) }
            plan.onHostDeath.accept(death.host)
        } else {
            end(seat, Outcome.Died)
        }
    }

    private fun end(seat: RankSeat, outcome: Outcome<*>) {
        if (seat.end(outcome)) countEnd(seat)
    }

    private fun countEnd(seat: RankSeat) {
        observe(seat) { seat.outcome.toString() }
        if (liveCount.decrementAndGet() > 0) return
        allEnded.complete(Unit)
        decided.complete(Unit)
    }

    /** Ends the run for all ranks: waiting ranks receive the failure now, the others at their next call. */
    private fun giveUp(seat: RankSeat, failure: Throwable) {
        val shared =
            failure as? CommunicatorException
                ?: RankFailedException("the run", listOf(RankFailedException.Failure(seat.rank, seat.host, failure)))
        if (!verdict.compareAndSet(null, shared)) return
        val standingTogether = seats.groupBy { it.standing() }.values
        standings = standingTogether.map { Standing(it.map(RankSeat::rank), it.first().whereabouts()) }
        seats.forEach { waiting -> waiting.openCalls().forEach { it.fail(shared) } }
        decided.complete(Unit)
    }

    private inline fun observe(seat: RankSeat, what: () -> String) {
        plan.observer?.accept(RunEvent(clock.millis(), seat.rank, what()))
    }

    private fun unreceived(): List<Unreceived> =
        seats.filter { it.outcome is Outcome.Returned }.flatMap { seat ->
            seat.mailbox.unreceived().map { (address, message) -> unreceived(seat, address, message.payload.limit()) }
        }

    private fun unreceived(target: RankSeat, address: Address, size: Int): Unreceived {
        val source = address.group.seats[address.source]
        return Unreceived(source.rank, target.rank, address.tag, size, address.group.name)
    }
}
