package dev.cairn.item

import dev.cairn.ranks.ROOT
import dev.cairn.redistribution.CellDigest
import dev.cairn.state.PerRankRule

/** A value of each rank's own. Another number of ranks divides the stored values into shares, and each rank merges its share. */
internal abstract class RankValueItem<T>(final override val kind: PrivateKind, private val slot: Slot<T>) : RankItem {
    final override val schema get() = Schema(kind.name, slot.format, emptyList())

    final override val valueSchema get() = slot.schema

    final override fun capture(rank: Int): Capture =
        BytesCapture(key, saving { slot.encode() }, kind.firstIndex(rank), isStored = true)

    final override fun heldObject() = saving { slot.heldObject() }

    override fun savedObjects(): List<Any?> = saving { listOf(slot.present) }

    final override fun loss() = saving { slot.loss() }?.let { "the codec or serializer of '$name' $it" }

    final override fun restore(source: ItemSource): CellDigest {
        val share = source.share(kind)
        val bytes = share.map(source::bytes)
        restoring {
            val values = bytes.map { slot.decode(it.duplicate(), source.renames) }
            slot.assign(if (source.isSameCount) values.single() else merge(values, source.save))
        }
        return share.zip(bytes) { writer, each -> source.digest(each, kind.firstIndex(writer)) }.sum()
    }

    /** This rank's value, merged from the [values] of its share in save number [save], in their order; there may be none. */
    protected abstract fun merge(values: List<T>, save: Int): T
}

/** A kind of which each rank stores a value of its own. */
internal abstract class RankValueKind(name: String, moved: String) : PrivateKind(name, StoredForm.RANK_VALUES, moved) {
    /** The distance between two ranks is more than the most bytes of a value. */
    final override fun firstIndex(rank: Int): Long = rank.toLong() shl Int.SIZE_BITS
}

/**
 * Each rank's part of a value, such as of a sum. On another number of ranks, rank 0 gets all parts [merged][merger] in their
 * order, and the others get [neutral].
 */
internal class AccumulatorItem<T>(
    override val id: ItemName,
    slot: Slot<T>,
    private val neutral: T,
    private val merger: (T, T) -> T,
) : RankValueItem<T>(AccumulatorKind, slot) {
    override val rankChange get() = RankChange.MERGE

    override fun merge(values: List<T>, save: Int): T = values.reduceOrNull(merger) ?: neutral
}

/** Parts of values, which rank 0 merges on another number of ranks. */
internal object AccumulatorKind : RankValueKind("accumulator", moved = "read and merged by rank 0") {
    override fun shareOfOthers(oldCount: Int, rank: Int, newCount: Int): IntRange =
        if (rank == ROOT) 0 until oldCount else IntRange.EMPTY
}

/** A value of each rank's own, with the program's rule for another number of ranks. */
internal class PerRankItem<T>(override val id: ItemName, slot: Slot<T>, private val rule: PerRankRule<T>) :
    RankValueItem<T>(PerRankKind, slot) {
    override val terms get() = listOf(rule.javaClass.simpleName)

    override val rankChange get() = rule.rankChange(merging = RankChange.MERGE)

    override fun merge(values: List<T>, save: Int): T {
        check(rule is PerRankRule.Merge) { "'$name' has no rule to merge by: please report this" }
        return rule.merge.apply(values)
    }
}

/** Values of each rank's own. On another number of ranks they are dealt and merged, or dropped, or the restart is refused. */
internal object PerRankKind : RankValueKind("perRank", moved = "dealt in order, and merged") {
    override val missingRule =
        MissingRule("private to each rank", "Declare it with PerRankRule.Merge or PerRankRule.Drop")
}
