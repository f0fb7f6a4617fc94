package dev.cairn.comm

import kotlin.time.Duration
import kotlin.time.toKotlinDuration

/** An injected fault of a [RankPlan]. An operation is one call of a rank's communicator, counted from 1. Immutable. */
public sealed interface Fault {
    /** Rank [rank] stops for good as it begins its [operation]-th operation, as if its process had been killed. */
    public class RankDies(
        public val rank: Int,
        public val operation: Long,
    ) : Fault {
        override fun equals(other: Any?): Boolean = other is RankDies && facts() == other.facts()

        override fun hashCode(): Int = facts().hashCode()

        override fun toString(): String = "RankDies(rank=$rank, operation=$operation)"

        private fun facts() = listOf(rank, operation)
    }

    /** All ranks of [host] stop for good as the first of them begins its [operation]-th operation. */
    public class HostDies(
        public val host: String,
        public val operation: Long,
    ) : Fault {
        override fun equals(other: Any?): Boolean = other is HostDies && facts() == other.facts()

        override fun hashCode(): Int = facts().hashCode()

        override fun toString(): String = "HostDies(host=$host, operation=$operation)"

        private fun facts() = listOf(host, operation)
    }

    /** Rank [rank] loses [time] before each operation. */
    public class RankIsSlow(
        public val rank: Int,
        public val time: Duration,
    ) : Fault {
        public constructor(rank: Int, time: java.time.Duration) : this(rank, time.toKotlinDuration())

        override fun equals(other: Any?): Boolean = other is RankIsSlow && facts() == other.facts()

        override fun hashCode(): Int = facts().hashCode()

        override fun toString(): String = "RankIsSlow(rank=$rank, time=$time)"

        private fun facts() = listOf(rank, time)
    }

    /** Each message from one rank to another is delayed by a time between zero and [time], drawn from [seed]. */
    public class MessagesAreDelayed(
        public val time: Duration,
        public val seed: Long,
    ) : Fault {
        public constructor(time: java.time.Duration, seed: Long) : this(time.toKotlinDuration(), seed)

        override fun equals(other: Any?): Boolean = other is MessagesAreDelayed && facts() == other.facts()

        override fun hashCode(): Int = facts().hashCode()

        override fun toString(): String = "MessagesAreDelayed(time=$time, seed=$seed)"

        private fun facts() = listOf(time, seed)
    }
}
