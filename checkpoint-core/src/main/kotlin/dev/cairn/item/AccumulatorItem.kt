package dev.cairn.item

import dev.cairn.comm.ROOT

/**
 * Each rank's part of a value, such as of a sum. On another number of ranks, rank 0 gets all parts [merged][merger] in their
 * order, and the others get [neutral].
 */
internal class AccumulatorItem<T>(
    override val name: String,
    override val key: Int,
    override val formerNames: List<String>,
    slot: Slot<T>,
    private val neutral: T,
    private val merger: (T, T) -> T,
) : RankValueItem<T>(AccumulatorKind, slot) {
    override val rankChange get() = RankChange.MERGE

    override fun merge(values: List<T>): T = values.reduceOrNull(merger) ?: neutral
}

/** Parts of values, which rank 0 merges on another number of ranks. */
internal object AccumulatorKind : RankValueKind("accumulator", moved = "read and merged by rank 0") {
    override fun shareOfOthers(
        oldCount: Int,
        rank: Int,
        newCount: Int,
    ): IntRange = if (rank == ROOT) 0 until oldCount else IntRange.EMPTY
}
