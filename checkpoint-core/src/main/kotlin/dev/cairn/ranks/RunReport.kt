package dev.cairn.ranks

import dev.cairn.event.CommunicatorException
import dev.cairn.event.RankFailedException
import dev.cairn.event.counted
import dev.cairn.event.rankText
import dev.cairn.ranks.RankPlan.Fault
import dev.cairn.ranks.RankPlan.Schedule
import kotlinx.coroutines.CancellationException

/**
 * The report of a run of ranks, made when all of them have ended. Immutable, so any thread may read it.
 *
 * @property plan the plan of the run
 * @property millis the duration of the run, by its own clock
 * @property outcomes the outcome of each rank
 * @property struckFaults the faults that have struck; a fault that was placed after a rank's end has not
 */
public class RunReport<out T> internal constructor(
    public val plan: RankPlan,
    public val millis: Long,
    public val outcomes: List<Outcome<T>>,
    private val places: List<Standing>,
    private val messages: List<Unreceived>,
    public val struckFaults: List<Fault>,
) {
    /** The positions of the ranks when the first one failed, each in a sentence that names the ranks; empty if none did. */
    public val standings: List<String> get() = places.map { "$it" }

    /** The messages that were not received, sent to ranks that returned, each in a sentence. */
    public val unreceived: List<String> get() = messages.map { "$it" }

    /** Whether all ranks returned and all messages were received. */
    public val isClean: Boolean get() = outcomes.all { it is Outcome.Returned } && messages.isEmpty()

    /** The results of all ranks, or [RunFailedException] if the run is not clean; what a single rank threw is thrown as it is. */
    public fun results(): List<T> {
        if (plan.isOnCaller) cause()?.let { throw it }
        if (!isClean) throw RunFailedException(this)
        return outcomes.map { (it as Outcome.Returned).value }
    }

    /** The failure, the position of every rank, and how to replay the run. */
    override fun toString(): String =
        (listOf(summary()) + (standings + thrownLater() + unreceived).take(NAMED_COUNT).map { "  $it" } + replay())
            .joinToString("\n")

    /** The exception of the lowest rank that failed by itself, and not because another had failed. */
    internal fun cause(): Throwable? = failed()?.second

    /** The rank that threw the [cause]; null if there is none. */
    internal fun failedRank(): Int? = failed()?.first

    private fun failed(): Pair<Int, Throwable>? {
        val failures = outcomes.mapIndexedNotNull { rank, end -> (end as? Outcome.Threw)?.let { rank to it.failure } }
        val own = failures.filter { (_, failure) -> failure !is CancellationException }
        return own.firstOrNull { (_, failure) -> failure !is CommunicatorException }
            ?: own.firstOrNull()
            ?: failures.firstOrNull()
    }

    /** The exceptions of other ranks after the first failure, mostly that same failure, since it reaches all ranks. */
    private fun thrownLater(): List<String> {
        val cause = cause()
        val shown = places.filter { it.place.startsWith(THREW) }.flatMap { it.ranks }.toSet()
        return outcomes.indices
            .filter { outcomes[it] is Outcome.Threw && it !in shown }
            .groupBy { rank ->
                val failure = (outcomes[rank] as Outcome.Threw).failure
                val isSame = failure === cause || (failure is RankFailedException && failure.cause === cause)
                when {
                    isSame -> "${THREW}the same"
                    failure is CancellationException -> "${THREW}a CancellationException, since the run ended"
                    else -> outcomes[rank].toString()
                }
            }.map { (end, ranks) -> "then ${rankText(ranks)}: $end" }
    }

    private fun summary(): String {
        val counts = outcomes.groupingBy { it.javaClass.simpleName.lowercase() }.eachCount()
        val ends = counts.entries.joinToString { "${it.value} ${it.key}" }
        val lost = if (messages.isEmpty()) "" else "; messages never received: ${messages.size}"
        return "${counted(outcomes.size, "rank")}, $millis ms: $ends$lost"
    }

    private fun replay(): String {
        val seed = (plan.schedule as? Schedule.Deterministic)?.seed
        if (seed != null) return "To replay, run the same plan with Schedule.Deterministic(seed = $seed)."
        return "The order was not controlled. Schedule.Deterministic() gives a run that can be replayed."
    }

    /** The outcome of one rank of a run. */
    public sealed interface Outcome<out T> {
        /** Its body returned [value]. */
        public class Returned<T>(public val value: T) : Outcome<T> {
            override fun toString(): String = "returned"
        }

        /** Its body threw [failure]; cancellation counts, too. */
        public class Threw(public val failure: Throwable) : Outcome<Nothing> {
            override fun equals(other: Any?): Boolean = other is Threw && failure == other.failure

            override fun hashCode(): Int = failure.hashCode()

            override fun toString(): String = "$THREW$failure"
        }

        /** It was killed by a planned fault. */
        public data object Died : Outcome<Nothing> {
            override fun toString(): String = "died"
        }

        /** It was still busy when the run ended, and was stopped. */
        public data object Stopped : Outcome<Nothing> {
            override fun toString(): String = "was stopped"
        }
    }
}

private const val NAMED_COUNT = 32

/** Ranks at the same position. */
internal class Standing(val ranks: List<Int>, val place: String) {
    override fun toString(): String = "${rankText(ranks)}: $place"
}

/** A message that was sent and never received. [source] and [target] are ranks of the whole run. */
internal class Unreceived(val source: Int, val target: Int, val tag: Int, val size: Int, val communicator: String) {
    override fun toString(): String =
        "never received: ${counted(size, "byte")} from rank $source to rank $target, tag $tag of $communicator"
}

/** A run of ranks failed; the message is [report], the cause what the first rank threw. */
public class RunFailedException internal constructor(public val report: RunReport<*>) :
    RuntimeException(report.toString(), report.cause())

private const val THREW = "threw "
