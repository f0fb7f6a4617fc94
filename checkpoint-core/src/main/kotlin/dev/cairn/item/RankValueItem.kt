package dev.cairn.item

import dev.cairn.redistribution.CellDigest

/** A value of each rank's own. Another number of ranks divides the stored values into shares, and each rank merges its share. */
internal abstract class RankValueItem<T>(
    final override val kind: PrivateKind,
    private val slot: Slot<T>,
) : RankItem {
    final override val schema get() = Schema(kind.name, slot.format, emptyList())

    final override val valueSchema get() = slot.schema

    final override fun capture(rank: Int): Capture =
        BytesCapture(key, saving { slot.encode(name) }, kind.firstIndex(rank), isStored = true)

    final override fun restore(source: ItemSource): CellDigest {
        val share = source.share(kind)
        val bytes = share.map(source::bytes)
        restoring {
            val values = bytes.map { slot.decode(name, it.duplicate(), source.renames) }
            slot.assign(if (source.isSameCount) values.single() else merge(values))
        }
        return share.zip(bytes) { writer, each -> source.digest(each, kind.firstIndex(writer)) }.sum()
    }

    /** This rank's value, merged from the stored [values] of its share, in their order; there may be none. */
    protected abstract fun merge(values: List<T>): T
}

/** A kind of which each rank stores a value of its own. */
internal abstract class RankValueKind(
    name: String,
    moved: String,
) : PrivateKind(name, StoredForm.RANK_VALUES, moved) {
    /** The distance between two ranks is more than the most bytes of a value. */
    final override fun firstIndex(rank: Int): Long = rank.toLong() shl Int.SIZE_BITS
}
