package dev.cairn.comm

import kotlin.random.Random
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.toKotlinDuration

/** Something that goes wrong on purpose. An operation is one call of a rank's communicator, counted from 1. */
public sealed interface Fault {
    /** Rank [rank] stops for ever as it begins its [operation]-th operation, as if its process had been killed. */
    public data class RankDies(
        val rank: Int,
        val operation: Long,
    ) : Fault

    /** All ranks of [host] stop for ever as the first of them begins its [operation]-th operation. */
    public data class HostDies(
        val host: String,
        val operation: Long,
    ) : Fault

    /** Rank [rank] loses [time] before each operation. */
    public data class RankIsSlow(
        val rank: Int,
        val time: Duration,
    ) : Fault {
        public constructor(rank: Int, time: java.time.Duration) : this(rank, time.toKotlinDuration())
    }

    /** Each message from one rank to another travels for a time between nothing and [time], drawn from [seed]. */
    public data class MessagesAreDelayed(
        val time: Duration,
        val seed: Long,
    ) : Fault {
        public constructor(time: java.time.Duration, seed: Long) : this(time.toKotlinDuration(), seed)
    }

    public companion object {
        /**
         * At most one fault of each kind for a run of [plan], each with the probability [chance], placed in the first
         * [operationCount] operations. The same [seed] draws the same faults.
         */
        @JvmStatic
        public fun draw(
            plan: RankPlan,
            seed: Long,
            chance: Double,
            operationCount: Long,
        ): List<Fault> {
            val random = Random(seed)

            fun rank() = random.nextInt(plan.count)

            fun operation() = random.nextLong(1, operationCount + 1)

            fun time() = random.nextInt(1, LONGEST_MILLIS).milliseconds
            val candidates =
                listOf(
                    RankDies(rank(), operation()),
                    HostDies(plan.hosts.apply(rank()), operation()),
                    RankIsSlow(rank(), time()),
                    MessagesAreDelayed(time(), random.nextLong()),
                )
            return candidates.filter { random.nextDouble() < chance }
        }

        private const val LONGEST_MILLIS = 1000
    }
}
