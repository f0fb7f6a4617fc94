package dev.cairn.item

import dev.cairn.concentrate.Concentrators
import dev.cairn.state.Meaning
import dev.cairn.state.PropertyChanges
import dev.cairn.state.ValueSchema
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestItem

/**
 * One declared piece of a rank's state. Its keys number its records in the rank's stream: items take them in the order of
 * declaration, from 1, one each, but a table one for each column.
 */
internal sealed interface StateItem {
    val id: ItemName
    val name: String get() = id.today
    val formerNames: List<String> get() = id.former
    val kind: ItemKind

    /** Its [kind] in messages to the program. */
    val word: String get() = id.words.wordFor(kind.name)
    val key: Int get() = id.key
    val keyCount: Int get() = 1

    /** Its description in the manifest, apart from sizes and digest. */
    val schema: Schema

    /** The schema of a value; null for an item that is no value, and for a codec without schemas. */
    val valueSchema: ValueSchema? get() = null

    /** [valueSchema] in words. */
    val valueType: String? get() = valueSchema?.inWords()

    /**
     * The declarations that decide which collectives a save or a restore calls, in words, such as the rule for other numbers of
     * ranks. All ranks must declare the same.
     */
    val terms: List<String> get() = emptyList()

    /** The rule for another number of ranks; null if it is restored on any number without one. */
    val rankChange: RankChange? get() = null

    /** The text of a refusal on another number of ranks; null if no item of its kind is refused. */
    val refusalWithoutRule: MissingRule? get() = kind.missingRule

    /** What a restore on another number of ranks does to it, in a sentence for the log; null if no one need know. */
    val noteOnOtherRanks: String? get() = null

    /** Its rule, and the column of its ids, for readers of the manifest without the program. */
    val layout: Map<String, String> get() = rankChange?.let { mapOf(LAYOUT_RULE to "$it") } ?: emptyMap()

    /** Whether its captures make a collective check of the data of all ranks together. */
    val isCheckedTogether: Boolean get() = false

    /** The ranks that write it for all, if the program has said it for this item. */
    val concentrators: Concentrators? get() = null

    /** Whether all ranks must have the same data. */
    val isReplicated: Boolean get() = false

    /** Whether it can be restored into a running program, and captured again, without an effect on the program. */
    val isRepeatable: Boolean get() = true

    /** Whether the same state is always captured as the same bytes. */
    val isCapturedAlike: Boolean get() = true

    /** The object that the program holds as its value now; null if there is none, as for all items that are no values. */
    fun heldObject(): HeldObject<*>? = null

    /** The program looks for a checkpoint to restore. */
    fun beforeRestore() = Unit

    /** What of the program a save of it holds, to which no graph may lead, too. */
    fun savedObjects(): List<Any?> = emptyList()

    /** What is read otherwise than it is written now, as far as equals() is certain, as the end of a sentence; null if nothing is. */
    fun loss(): String? = null

    /** This rank's part of it, ready to be written. Valid until the state is changed. */
    fun capture(rank: Int): Capture

    /**
     * The conversion of [stored], an item of the same kind in [manifest], to this one. Refuses any difference that no rule
     * covers; [changes] are the declared changes within values.
     */
    fun conversionFrom(stored: ManifestItem, manifest: Manifest, changes: PropertyChanges): Conversion =
        valueConversion(this, stored, manifest, changes)
}

/**
 * What an item is called.
 *
 * @property key the first of its keys
 * @property former its names in earlier versions of the program
 * @property words the words of the program that declares it
 */
internal class ItemName(
    val today: String,
    val key: Int,
    val former: List<String>,
    val words: KindWords = KindWords.OF_RANKS,
)

/** What a program calls the kinds of its state, which are the names of the functions that declare it. */
internal enum class KindWords(private val own: Map<ItemKind, String>) {
    /** As manifests do. */
    OF_RANKS(emptyMap()),

    OF_ONE_PROCESS(mapOf(ReplicatedKind to "value", FieldKind to "array")),
    ;

    fun wordFor(kind: String): String = own.entries.find { it.key.name == kind }?.value ?: kind
}

/** The text of its refusal on another number of ranks; null if it is not refused. */
internal val StateItem.missingRule: MissingRule?
    get() {
        if (rankChange != RankChange.REFUSE) return null
        val text = refusalWithoutRule
        return checkNotNull(text) { "'$name' is refused, but the kind $kind has no text for that: please report this" }
    }

/** Whether it is not restored on [newCount] ranks after a save by [oldCount] ranks. */
internal fun StateItem.isDropped(oldCount: Int, newCount: Int): Boolean =
    oldCount != newCount && rankChange == RankChange.DROP

/** The properties that a stored item and a declared one must have in common. */
internal data class Schema(
    val kind: String,
    val elementType: String,
    val shape: List<Long>,
    val columns: List<ColumnSchema> = emptyList(),
) {
    /** Its content, in words. */
    val content: String
        get() =
            when {
                columns.isNotEmpty() -> columns.joinToString()
                shape.isNotEmpty() -> "$elementType with the shape ${shape.joinToString("x")}"
                else -> elementType
            }
}

/** One column of a table. */
internal data class ColumnSchema(val name: String, val elementType: String, val meaning: Meaning = Meaning.Number) {
    override fun toString(): String = "$name: $elementType$meaning"
}
