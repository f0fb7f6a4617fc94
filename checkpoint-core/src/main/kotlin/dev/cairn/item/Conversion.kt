package dev.cairn.item

import dev.cairn.redistribution.Widening
import dev.cairn.state.PropertyChanges
import dev.cairn.state.Renames
import dev.cairn.state.ValueMatching
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestItem

/**
 * The conversion of a stored item to the declared one.
 *
 * @property widenings the widening of the cells of a field, or of the cells of each stored column of a table
 * @property columns the column into which each stored column of a table is read; a removed one is only verified
 * @property renames the names within a value that have changed since it was stored
 * @property notes the changes within the item, in sentences
 */
internal class Conversion(
    val widenings: List<Widening> = emptyList(),
    val columns: List<Column<*>> = emptyList(),
    val renames: Renames = Renames.NONE,
    val notes: List<String> = emptyList(),
)

/** The conversion of a [stored] item to [item]. Refuses any difference that no rule covers. */
internal fun conversionOf(
    item: StateItem,
    stored: ManifestItem,
    manifest: Manifest,
    changes: PropertyChanges,
): Conversion {
    if (stored.kind != item.kind.name) throw differs(item, stored, manifest)
    return item.conversionFrom(stored, manifest, changes)
}

/** The conversion of a stored value: its codec must have the same format, and its schema must fit. */
internal fun valueConversion(
    item: StateItem,
    stored: ManifestItem,
    manifest: Manifest,
    changes: PropertyChanges,
): Conversion {
    if (stored.foundSchema() != item.schema) throw differs(item, stored, manifest)
    val wanted = item.valueSchema ?: return Conversion()
    val found = stored.schema
    return when {
        found != null -> conversionBy(ValueMatching(item.name, found, wanted, changes, manifest.save, stored.name))
        wanted.types.isEmpty() -> Conversion()
        else -> Conversion(notes = listOf(withoutSchema(stored, manifest)))
    }
}

private fun conversionBy(matching: ValueMatching) = matching.fit().run { Conversion(renames = renames, notes = notes) }

private fun withoutSchema(stored: ManifestItem, manifest: Manifest) =
    "'${stored.name}' of save ${manifest.save} was saved without its schema: changes within it since then cannot be " +
        "detected."

/** The refusal of a stored item whose schema differs from the declared one. */
internal fun differs(item: StateItem, stored: ManifestItem, manifest: Manifest) =
    notFitting(
        stored.name,
        "save ${manifest.save} holds '${stored.name}' as ${item.inWords(stored.foundSchema())}, but the program " +
            "declares '${item.name}' as ${item.inWords(item.schema)}. Declare it as it was stored, or give the new " +
            "one another name.",
    )

private fun ManifestItem.foundSchema() =
    Schema(kind, elementType, shape, columns.map { ColumnSchema(it.name, it.elementType) })

private fun StateItem.inWords(schema: Schema): String {
    val word = id.words.wordFor(schema.kind)
    return "${if (word.first() in "aeiou") "an" else "a"} $word of ${schema.content}"
}
