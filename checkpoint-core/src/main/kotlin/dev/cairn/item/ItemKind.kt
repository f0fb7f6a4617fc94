package dev.cairn.item

import dev.cairn.checkpoint.ItemRecords
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

    /** Whether the same state may have other bytes each time. */
    open val hasManyForms: Boolean get() = false

    /** The text of a refusal on another number of ranks; null if no item of the kind is refused. */
    open val missingRule: MissingRule? get() = null

    /** Whether this version knows the types of the cells of [stored]. */
    open fun isReadable(stored: ManifestItem): Boolean = true

    /** The number of the first byte of [rank] in the digest. */
    open fun firstIndex(rank: Int): Long = 0

    /** Adds to [reads] the bytes of [item] that each rank of a restart would read. */
    abstract fun plan(
        item: ItemRecords,
        reads: RestartReads,
    ): PlannedItem

    final override fun toString(): String = name
}

/** All kinds of state. */
internal val ITEM_KINDS: List<ItemKind> =
    listOf(
        ReplicatedKind,
        RandomStreamsKind,
        PerRankKind,
        AccumulatorKind,
        StreamKind,
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
internal class MissingRule(
    val what: String,
    val remedy: String,
)

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
