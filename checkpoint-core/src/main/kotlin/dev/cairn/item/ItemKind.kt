package dev.cairn.item

import dev.cairn.checkpoint.ItemRecords
import dev.cairn.checkpoint.StreamInput
import dev.cairn.ranks.ROOT
import dev.cairn.state.dealt
import dev.cairn.store.ManifestItem

/**
 * A kind of state: the rules that hold for all of its items, those that a program declares and those in a checkpoint. Each kind
 * is an object beside its [StateItem], and is listed in [ITEM_KINDS].
 */
internal abstract class ItemKind(
    /** The name in manifests and messages. */
    val name: String,
    /** The form in which a program reads its items without declaring them. */
    val form: StoredForm,
) {
    /** Whether each rank stores bytes of its own, so that the digest depends on the rank of each byte. */
    open val isPrivate: Boolean get() = false

    /** Whether the content is a file outside of the checkpoint. */
    open val isOutside: Boolean get() = false

    /** If the same state may have other bytes each time: what lets it be compared nevertheless. */
    open val adviceOnForms: String? get() = null

    /** The text of a refusal on another number of ranks; null if no item of the kind is refused. */
    open val missingRule: MissingRule? get() = null

    /** Whether this version knows the types of the cells of [stored]. */
    open fun isReadable(stored: ManifestItem): Boolean = true

    /** Whether the order of the elements of [stored] is state, though its digest does not show it. */
    open fun isOrdered(stored: ManifestItem): Boolean = false

    /** The objects in what a rank has [stored]; null if a kind has none. */
    open fun objectsIn(stored: StreamInput): StoredGraph? = null

    /** The number of the first byte of [rank] in the digest. */
    open fun firstIndex(rank: Int): Long = 0

    /** Adds to [reads] the bytes of [item] that each rank of a restart would read. */
    abstract fun plan(item: ItemRecords, reads: RestartReads): PlannedItem

    final override fun toString(): String = name
}

/** All kinds of state. */
internal val ITEM_KINDS: List<ItemKind> =
    listOf(
        ReplicatedKind,
        RandomStreamsKind,
        PerRankKind,
        AccumulatorKind,
        GeneratorKind,
        StreamKind,
        GraphItemKind,
        OutputKind,
        FieldKind,
        TableKind,
    )

/** The kind of this stored item; null if only a newer version knows the kind, or a type of its cells. */
internal fun ManifestItem.knownKind(): ItemKind? = ITEM_KINDS.find { it.name == kind }?.takeIf { it.isReadable(this) }

/**
 * The text of the refusal of an item without a rule on another number of ranks.
 *
 * @property what the kind of the item, as the end of "it is …"
 * @property remedy a sentence on how to declare it with a rule, without its full stop
 */
internal class MissingRule(val what: String, val remedy: String)

/** The form in which a program reads an item that it does not declare; `dev.cairn.reading` has a class for each. */
internal enum class StoredForm(
    /** When a restore brings it back. */
    val turn: RestoreTurn,
) {
    /** One value for all ranks. */
    VALUE(RestoreTurn.VALUES),

    /** The seed of random streams. */
    SEED(RestoreTurn.VALUES),

    /** The length of a file outside of the checkpoint. */
    MARK(RestoreTurn.OUTPUTS),

    /** A value of each rank. */
    RANK_VALUES(RestoreTurn.VALUES),

    /** Bytes of each rank, of any number. */
    STREAMS(RestoreTurn.STREAMS),

    /** A global array. */
    CELLS(RestoreTurn.FIELDS),

    /** Rows without an order. */
    ROWS(RestoreTurn.TABLES),
}

/**
 * The turns of a restore, in their order. In each of them items come back in the order in which the program declares them; but the
 * cells of all fields travel together, so that fields have no order among themselves.
 */
internal enum class RestoreTurn(
    /** The name of its items, in the plural. */
    val title: String,
) {
    VALUES("values"),
    STREAMS("streams"),
    FIELDS("fields"),
    TABLES("tables"),
    OUTPUTS("outputs"),
}

/** A kind whose items are the same on all ranks, and stored by rank 0. */
internal abstract class SharedKind(name: String, form: StoredForm) : ItemKind(name, form) {
    override fun plan(item: ItemRecords, reads: RestartReads): PlannedItem {
        reads.readers[ROOT].reads(item.size(ROOT))
        reads.readers.drop(1).forEach { it.receives(item.size(ROOT)) }
        return item.planned("read by rank 0, and sent to all")
    }
}

/** A kind whose items each have a rule for another number of ranks. */
internal abstract class RuledKind(name: String, form: StoredForm) : ItemKind(name, form) {
    final override fun plan(item: ItemRecords, reads: RestartReads): PlannedItem {
        if (reads.isSameCount) return item.planned(planOwn(item, reads))
        val count = reads.newCount
        return when (val rule = RankChange.of(item.described.layout)) {
            null -> item.refused(reads, "the program must have a rule for $count, which is not in the checkpoint")
            RankChange.REFUSE -> item.refused(reads, "the program that saved it had no rule for $count")
            RankChange.DROP -> item.planned("not read: on another number of ranks it is dropped")
            else -> item.planned(planMoved(item, rule, reads))
        }
    }

    /** Adds the reads of the same number of ranks, and returns a note on them. */
    protected abstract fun planOwn(item: ItemRecords, reads: RestartReads): String

    /** Adds the reads of another number of ranks under [rule], and returns a note on them. */
    protected abstract fun planMoved(item: ItemRecords, rule: RankChange, reads: RestartReads): String

    private fun ItemRecords.refused(reads: RestartReads, reason: String) =
        PlannedItem(described.name, "refused: it is private to each ${reads.ofOldRanks}, and $reason", isRefused = true)

    protected companion object {
        const val EACH_FOR_ITSELF = "read by each rank for itself"
    }
}

/**
 * A kind of which each rank stores bytes of its own.
 *
 * @param moved a note for another number of ranks, as the end of "those of 3 ranks …"
 */
internal abstract class PrivateKind(name: String, form: StoredForm, private val moved: String) :
    RuledKind(name, form) {
    final override val isPrivate: Boolean get() = true

    /** The old ranks whose bytes [rank] restores, if [oldCount] ranks have stored them and [newCount] restore them. */
    fun share(oldCount: Int, rank: Int, newCount: Int): IntRange =
        if (oldCount == newCount) rank..rank else shareOfOthers(oldCount, rank, newCount)

    /** As [share], if the numbers differ. */
    protected open fun shareOfOthers(oldCount: Int, rank: Int, newCount: Int): IntRange =
        dealt(oldCount, rank, newCount)

    final override fun planOwn(item: ItemRecords, reads: RestartReads): String {
        addShares(item, reads)
        return EACH_FOR_ITSELF
    }

    final override fun planMoved(item: ItemRecords, rule: RankChange, reads: RestartReads): String {
        addShares(item, reads)
        return "those ${reads.ofOldRanks} $moved"
    }

    private fun addShares(item: ItemRecords, reads: RestartReads) =
        reads.readers.forEach { reader ->
            share(reads.oldCount, reader.rank, reads.newCount).forEach { reader.reads(item.size(it)) }
        }
}
