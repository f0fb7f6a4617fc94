package dev.cairn.ranks

import dev.cairn.ranks.Communicator.Checks
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import java.util.function.Consumer
import java.util.function.IntFunction
import kotlin.random.Random
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.toKotlinDuration

/**
 * The plan of a run of ranks in this process. Immutable, so any thread may use it; Java callers begin with the number of ranks, and go
 * on with the functions whose names begin with "with".
 *
 * @property count the number of ranks
 * @property schedule the order in which the ranks run
 * @property hosts the name of each rank's simulated host
 * @property faults the injected faults, of ranks and hosts that there are; messages are delayed by one of them at most
 * @property limit the default limit of one call's wait for other ranks
 * @property checks the comparisons between the ranks
 * @property observer receives the operations of every rank, if there is one; the ranks call it, on several threads at once if the schedule is fast
 * @property onHostDeath receives the name of a host that dies, so that its store can crash with it
 */
public class RankPlan(
    public val count: Int,
    public val schedule: Schedule = Schedule.Fast(),
    public val hosts: IntFunction<String> = IntFunction { "host0" },
    public val faults: List<Fault> = emptyList(),
    public val limit: Duration = 10.minutes,
    public val checks: Checks = Checks.SIZES,
    public val observer: Consumer<RunEvent>? = null,
    public val onHostDeath: Consumer<String> = Consumer {},
) {
    /** A run at full speed, with no faults. */
    public constructor(count: Int) : this(count, Schedule.Fast())

    init {
        require(count > 0) { "$count ranks were requested; a run has at least one" }
        require(limit.isPositive()) { "the limit is $limit; it must be greater than zero" }
    }

    public fun withSchedule(schedule: Schedule): RankPlan = copy(schedule = schedule)

    public fun withHosts(hosts: IntFunction<String>): RankPlan = copy(hosts = hosts)

    public fun withFaults(faults: List<Fault>): RankPlan = copy(faults = faults)

    @JvmSynthetic
    public fun withLimit(limit: Duration): RankPlan = copy(limit = limit)

    public fun withLimit(limit: java.time.Duration): RankPlan = copy(limit = limit.toKotlinDuration())

    public fun withChecks(checks: Checks): RankPlan = copy(checks = checks)

    public fun withObserver(observer: Consumer<RunEvent>): RankPlan = copy(observer = observer)

    public fun withOnHostDeath(onHostDeath: Consumer<String>): RankPlan = copy(onHostDeath = onHostDeath)

    private fun copy(
        schedule: Schedule = this.schedule,
        hosts: IntFunction<String> = this.hosts,
        faults: List<Fault> = this.faults,
        limit: Duration = this.limit,
        checks: Checks = this.checks,
        observer: Consumer<RunEvent>? = this.observer,
        onHostDeath: Consumer<String> = this.onHostDeath,
    ) = RankPlan(count, schedule, hosts, faults, limit, checks, observer, onHostDeath)

    /**
     * At most one fault of each kind for a run of this plan, each with the probability [chance], placed in the first
     * [operationCount] operations. The same [seed] draws the same faults.
     */
    public fun drawFaults(seed: Long, chance: Double, operationCount: Long): List<Fault> {
        val random = Random(seed)

        fun rank() = random.nextInt(count)

        fun operation() = random.nextLong(1, operationCount + 1)

        fun time() = random.nextInt(1, LONGEST_MILLIS).milliseconds
        val candidates =
            listOf(
                Fault.RankDies(rank(), operation()),
                Fault.HostDies(hosts.apply(rank()), operation()),
                Fault.RankIsSlow(rank(), time()),
                Fault.MessagesAreDelayed(time(), random.nextLong()),
            )
        return candidates.filter { random.nextDouble() < chance }
    }

    /** The order in which the ranks of a run are scheduled. */
    public sealed interface Schedule {
        /**
         * At full speed, on several threads. The order differs from run to run. More than 8,191 ranks that
         * have waited for the same call go on in cohorts of neighbours, so one that blocks its thread holds up its
         * neighbours.
         *
         * A deadlock is found as soon as all ranks wait. A rank with coroutines of its own may be busy although it waits,
         * which cannot be detected from outside; if there is one, missing ranks are reported only when a limit passes.
         */
        public class Fast
            @JvmOverloads
            constructor(
                internal val dispatcher: CoroutineDispatcher = Dispatchers.Default,
            ) : Schedule {
                override fun toString(): String = "Schedule.Fast()"
            }

        /**
         * One thread; [seed] decides every order, and the same seed gives the same run again. The clock is simulated:
         * `delay` takes no time, and a limit passes as soon as no rank can move before it. Ranks must not leave the thread
         * they are given.
         */
        public class Deterministic
            @JvmOverloads
            constructor(
                public val seed: Long = Random.nextLong(),
            ) : Schedule {
                override fun equals(other: Any?): Boolean = other is Deterministic && seed == other.seed

                override fun hashCode(): Int = seed.hashCode()

                override fun toString(): String = "Schedule.Deterministic($seed)"
            }
    }

    /** Rank [rank] did [what], [millis] milliseconds after the start by the run's own clock. */
    public class RunEvent(public val millis: Long, public val rank: Int, public val what: String) {
        override fun equals(other: Any?): Boolean = other is RunEvent && facts() == other.facts()

        override fun hashCode(): Int = facts().hashCode()

        override fun toString(): String = "RunEvent(millis=$millis, rank=$rank, what=$what)"

        private fun facts() = listOf(millis, rank, what)
    }

    /** An injected fault of a [RankPlan]. An operation is one call of a rank's communicator, counted from 1. Immutable. */
    public sealed interface Fault {
        /** Rank [rank] stops for good as it begins its [operation]-th operation, as if its process had been killed. */
        public class RankDies(public val rank: Int, public val operation: Long) : Fault {
            init {
                requireRank(rank)
                requireOperation(operation)
            }

            override fun equals(other: Any?): Boolean = other is RankDies && facts() == other.facts()

            override fun hashCode(): Int = facts().hashCode()

            override fun toString(): String = "RankDies(rank=$rank, operation=$operation)"

            private fun facts() = listOf(rank, operation)
        }

        /** All ranks of [host] stop for good as the first of them begins its [operation]-th operation. */
        public class HostDies(public val host: String, public val operation: Long) : Fault {
            init {
                requireOperation(operation)
            }

            override fun equals(other: Any?): Boolean = other is HostDies && facts() == other.facts()

            override fun hashCode(): Int = facts().hashCode()

            override fun toString(): String = "HostDies(host=$host, operation=$operation)"

            private fun facts() = listOf(host, operation)
        }

        /** Rank [rank] loses [time] before each operation. */
        public class RankIsSlow(public val rank: Int, public val time: Duration) : Fault {
            public constructor(rank: Int, time: java.time.Duration) : this(rank, time.toKotlinDuration())

            init {
                requireRank(rank)
                requireTime(time)
            }

            override fun equals(other: Any?): Boolean = other is RankIsSlow && facts() == other.facts()

            override fun hashCode(): Int = facts().hashCode()

            override fun toString(): String = "RankIsSlow(rank=$rank, time=$time)"

            private fun facts() = listOf(rank, time)
        }

        /** Each message from one rank to another is delayed by a time between zero and [time], drawn from [seed]. */
        public class MessagesAreDelayed(public val time: Duration, public val seed: Long) : Fault {
            public constructor(time: java.time.Duration, seed: Long) : this(time.toKotlinDuration(), seed)

            init {
                requireTime(time)
            }

            override fun equals(other: Any?): Boolean = other is MessagesAreDelayed && facts() == other.facts()

            override fun hashCode(): Int = facts().hashCode()

            override fun toString(): String = "MessagesAreDelayed(time=$time, seed=$seed)"

            private fun facts() = listOf(time, seed)
        }
    }
}

// A fault that could never strike would let a test pass that tests nothing.

private fun requireRank(rank: Int) = require(rank >= 0) { "a fault strikes a rank from 0 on, not rank $rank" }

private fun requireOperation(operation: Long) =
    require(operation >= 1) { "a fault strikes at an operation from 1 on, not at $operation" }

private fun requireTime(time: Duration) =
    require(!time.isNegative()) { "a fault costs a time of 0 or more, not of $time" }

/** The longest time that a drawn fault costs, in milliseconds. */
private const val LONGEST_MILLIS = 1000
