package dev.cairn.restore

import dev.cairn.cells.Widening
import dev.cairn.failure.CheckpointException
import dev.cairn.item.Column
import dev.cairn.item.ColumnSchema
import dev.cairn.item.FieldItem
import dev.cairn.item.Schema
import dev.cairn.item.StateItem
import dev.cairn.item.TableItem
import dev.cairn.schema.PropertyChanges
import dev.cairn.schema.Renames
import dev.cairn.schema.ValueFit
import dev.cairn.schema.ValueMatching
import dev.cairn.state.elementTypeOf
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestItem

/**
 * How a stored item becomes the declared one.
 *
 * @property widenings what becomes of the cells of a field, or of those of each stored column of a table
 * @property columns what each stored column of a table is read into; one that was removed is verified and goes no further
 * @property renames what in a value was called otherwise when it was stored
 * @property notes what has changed within the item, in sentences
 */
internal class Conversion(
    val widenings: List<Widening> = emptyList(),
    val columns: List<Column<*>> = emptyList(),
    val renames: Renames = Renames.NONE,
    val notes: List<String> = emptyList(),
)

/** How what was [stored] becomes [item]. Refuses any difference that no rule covers. */
internal fun conversionOf(
    item: StateItem,
    stored: ManifestItem,
    manifest: Manifest,
    changes: PropertyChanges,
): Conversion {
    val columns = stored.columns.map { ColumnSchema(it.name, it.elementType) }
    val found = Schema(stored.kind, stored.elementType, stored.shape, columns)
    val wanted = item.schema
    return when {
        found.kind != wanted.kind -> throw differs(item, stored, manifest, found)
        item is TableItem -> ColumnMatching(item, stored, manifest).fit()
        item is FieldItem && found.shape != wanted.shape -> throw reshaped(item, stored, manifest)
        item is FieldItem -> fieldConversion(item, found) ?: throw differs(item, stored, manifest, found)
        found != wanted -> throw differs(item, stored, manifest, found)
        else -> valueConversion(item, stored, manifest, changes)
    }
}

private fun fieldConversion(
    field: FieldItem,
    found: Schema,
): Conversion? {
    val widening = elementTypeOf(found.elementType)?.wideningTo(field.type) ?: return null
    val note = "'${field.name}' is widened from ${found.elementType} to ${field.type}."
    return Conversion(listOf(widening), notes = if (widening.isNone) emptyList() else listOf(note))
}

private fun valueConversion(
    item: StateItem,
    stored: ManifestItem,
    manifest: Manifest,
    changes: PropertyChanges,
): Conversion {
    val wanted = item.valueSchema ?: return Conversion()
    val found = stored.schema
    return when {
        found != null -> ValueMatching(item.name, found, wanted, changes, manifest.save).fit().let(::conversionOfValue)
        wanted.types.isEmpty() -> Conversion()
        else -> Conversion(notes = listOf(withoutSchema(item, manifest)))
    }
}

private fun conversionOfValue(value: ValueFit) = Conversion(renames = value.renames, notes = value.notes)

private fun withoutSchema(
    item: StateItem,
    manifest: Manifest,
) = "'${item.name}' of save ${manifest.save} was saved without its schema: what has changed within it since then " +
    "cannot be told."

private fun reshaped(
    item: StateItem,
    stored: ManifestItem,
    manifest: Manifest,
) = CheckpointException.SchemaDiffers(
    stored.name,
    "save ${manifest.save} holds the field '${stored.name}' with the shape ${stored.shape.joinToString(
        "x",
    )}, but the " +
        "program declares '${item.name}' with ${item.schema.shape.joinToString(
            "x",
        )}. No rule says what becomes of its " +
        "cells: restore it with the stored shape, and copy it into a new field of another name.",
)

private fun differs(
    item: StateItem,
    stored: ManifestItem,
    manifest: Manifest,
    found: Schema,
) = CheckpointException.SchemaDiffers(
    stored.name,
    "save ${manifest.save} holds '${stored.name}' as ${found.text()}, but the program declares '${item.name}' as " +
        "${item.schema.text()}. Declare it as it was stored, or give the new one another name.",
)

private fun Schema.text(): String = "${if (kind.first() in "aeiou") "an" else "a"} $kind of $content"
