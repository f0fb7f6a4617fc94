package dev.cairn.item

import dev.cairn.checkpoint.ItemRecords
import dev.cairn.state.dealt

/** A kind whose items each have a rule for another number of ranks. */
internal abstract class RuledKind(
    name: String,
    form: StoredForm,
) : ItemKind(name, form) {
    final override fun plan(
        item: ItemRecords,
        reads: RestartReads,
    ): PlannedItem {
        if (reads.isSameCount) return item.planned(planOwn(item, reads))
        return when (val rule = RankChange.of(item.described.layout)) {
            null -> {
                item.refused(
                    reads,
                    "the program must have a rule for ${reads.newCount}, which is not in the checkpoint",
                )
            }

            RankChange.REFUSE -> {
                item.refused(reads, "the program that saved it had no rule for ${reads.newCount}")
            }

            RankChange.DROP -> {
                item.planned("not read: on another number of ranks it is dropped")
            }

            else -> {
                item.planned(planMoved(item, rule, reads))
            }
        }
    }

    /** Adds the reads of the same number of ranks, and returns a note on them. */
    protected abstract fun planOwn(
        item: ItemRecords,
        reads: RestartReads,
    ): String

    /** Adds the reads of another number of ranks under [rule], and returns a note on them. */
    protected abstract fun planMoved(
        item: ItemRecords,
        rule: RankChange,
        reads: RestartReads,
    ): String

    private fun ItemRecords.refused(
        reads: RestartReads,
        reason: String,
    ) = PlannedItem(described.name, "refused: it is private to each ${reads.ofOldRanks}, and $reason", isRefused = true)

    protected companion object {
        const val EACH_FOR_ITSELF = "read by each rank for itself"
    }
}

/**
 * A kind of which each rank stores bytes of its own.
 *
 * @param moved a note for another number of ranks, as the end of "those of 3 ranks …"
 */
internal abstract class PrivateKind(
    name: String,
    form: StoredForm,
    private val moved: String,
) : RuledKind(name, form) {
    final override val isPrivate: Boolean get() = true

    /** The old ranks whose bytes [rank] restores, if [oldCount] ranks have stored them and [newCount] restore them. */
    fun share(
        oldCount: Int,
        rank: Int,
        newCount: Int,
    ): IntRange = if (oldCount == newCount) rank..rank else shareOfOthers(oldCount, rank, newCount)

    /** As [share], if the numbers differ. */
    protected open fun shareOfOthers(
        oldCount: Int,
        rank: Int,
        newCount: Int,
    ): IntRange = dealt(oldCount, rank, newCount)

    final override fun planOwn(
        item: ItemRecords,
        reads: RestartReads,
    ): String {
        addShares(item, reads)
        return EACH_FOR_ITSELF
    }

    final override fun planMoved(
        item: ItemRecords,
        rule: RankChange,
        reads: RestartReads,
    ): String {
        addShares(item, reads)
        return "those ${reads.ofOldRanks} $moved"
    }

    private fun addShares(
        item: ItemRecords,
        reads: RestartReads,
    ) = reads.readers.forEach { reader ->
        share(reads.oldCount, reader.rank, reads.newCount).forEach { reader.reads(item.size(it)) }
    }
}
