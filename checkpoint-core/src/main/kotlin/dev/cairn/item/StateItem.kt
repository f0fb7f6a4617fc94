package dev.cairn.item

import dev.cairn.comm.ProgramCode
import dev.cairn.schema.Meaning
import dev.cairn.schema.PropertyChanges
import dev.cairn.schema.ValueSchema
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestItem

/**
 * One declared piece of a rank's state. Its keys number its records in the rank's stream: items take them in the order of
 * declaration, from 1, one each, but a table one for each column.
 */
internal sealed interface StateItem {
    val name: String
    val kind: ItemKind

    /** The first of its keys. */
    val key: Int
    val keyCount: Int get() = 1

    /** The names that it had in earlier versions of the program. */
    val formerNames: List<String>

    /** What is said of it in the manifest, apart from sizes and digest. */
    val schema: Schema

    /** What a value of it consists of; null for what is no value, and for codecs that do not tell. */
    val valueSchema: ValueSchema? get() = null

    /** The same for people. */
    val valueType: String? get() = valueSchema?.inWords()

    /**
     * What decides which collectives a save or a restore calls, for people: the rule for other numbers of ranks. All ranks
     * must declare the same.
     */
    val terms: List<String> get() = emptyList()

    /** The rule for another number of ranks; null if it comes back on any number without one. */
    val rankChange: RankChange? get() = null

    /** Its rule, and the column of its ids, for readers of the manifest without the program. */
    val layout: Map<String, String> get() = rankChange?.let { mapOf(LAYOUT_RULE to "$it") } ?: emptyMap()

    /** Whether its captures look, in a collective call, for what is only wrong on all ranks together. */
    val isCheckedTogether: Boolean get() = false

    /** Whether all ranks must have the same. */
    val isReplicated: Boolean get() = false

    /** Whether it can be restored into a running program, and captured again, without a change of what the program has. */
    val isRepeatable: Boolean get() = true

    /** What this rank has of it now, ready to be written. Holds until the state is changed. */
    fun capture(rank: Int): Capture

    /**
     * How what [manifest] holds as [stored], an item of the same kind, becomes this one. Refuses any difference that no rule
     * covers; [changes] tell what values had and have.
     */
    fun conversionFrom(
        stored: ManifestItem,
        manifest: Manifest,
        changes: PropertyChanges,
    ): Conversion = valueConversion(this, stored, manifest, changes)
}

/** The words of its refusal on another number of ranks; null if it is not refused. */
internal val StateItem.missingRule: MissingRule?
    get() {
        if (rankChange != RankChange.REFUSE) return null
        return checkNotNull(
            kind.missingRule,
        ) { "'$name' is refused, but $kind has no words for it: please report this" }
    }

/** Whether it stays as it is when [oldCount] ranks have stored it, and [newCount] restore. */
internal fun StateItem.isDropped(
    oldCount: Int,
    newCount: Int,
): Boolean = oldCount != newCount && rankChange == RankChange.DROP

/** Runs the code of the program that saves this item. */
internal inline fun <T> StateItem.saving(code: () -> T): T =
    ProgramCode.run("the $kind '$name' while Cairn saves it", code)

/** Runs the code of the program that takes back what was saved of this item. */
internal inline fun <T> StateItem.restoring(code: () -> T): T =
    ProgramCode.run("the $kind '$name' while Cairn restores it", code)

/** What a stored item and a declared one must have in common. */
internal data class Schema(
    val kind: String,
    val elementType: String,
    val shape: List<Long>,
    val columns: List<ColumnSchema> = emptyList(),
) {
    /** What it holds, for people. */
    val content: String
        get() =
            when {
                columns.isNotEmpty() -> columns.joinToString()
                shape.isNotEmpty() -> "$elementType with the shape ${shape.joinToString("x")}"
                else -> elementType
            }
}

/** One column of a table. */
internal data class ColumnSchema(
    val name: String,
    val elementType: String,
    val meaning: Meaning = Meaning.Number,
) {
    override fun toString(): String = "$name: $elementType$meaning"
}
