package dev.cairn.restore

import dev.cairn.CheckpointException
import dev.cairn.cells.Widening
import dev.cairn.state.ColumnSchema
import dev.cairn.state.FieldItem
import dev.cairn.state.Schema
import dev.cairn.state.StateItem
import dev.cairn.state.TableItem
import dev.cairn.state.elementTypeOf
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestItem

/**
 * How what was [stored] becomes what is declared: cells of a field, or of the columns of a table, may have become wider.
 * Refuses any other difference.
 */
internal fun widenings(
    item: StateItem,
    stored: ManifestItem,
    manifest: Manifest,
): List<Widening> {
    val found =
        Schema(
            stored.kind,
            stored.elementType,
            stored.shape,
            stored.columns.map { ColumnSchema(it.name, it.elementType) },
        )
    val wanted = item.schema
    if (item is FieldItem && found.kind == wanted.kind && found.shape != wanted.shape) {
        throw reshaped(item, stored, manifest)
    }
    val widenings =
        when {
            found.copy(
                elementType = "",
                columns = emptyList(),
            ) != wanted.copy(elementType = "", columns = emptyList()) -> null

            item is FieldItem -> widening(found.elementType, wanted.elementType)?.let { listOf(it) }

            found.elementType != wanted.elementType -> null

            item is TableItem -> columnWidenings(found.columns, wanted.columns)

            else -> emptyList()
        }
    return widenings ?: throw differs(item, stored, manifest, found)
}

/** One for each stored column, if they are the same ones as those declared. */
private fun columnWidenings(
    stored: List<ColumnSchema>,
    declared: List<ColumnSchema>,
): List<Widening>? {
    if (stored.size != declared.size) return null
    return stored.map { column ->
        val wanted = declared.find { it.name == column.name } ?: return null
        widening(column.elementType, wanted.elementType) ?: return null
    }
}

private fun widening(
    from: String,
    to: String,
): Widening? {
    val wider = elementTypeOf(to) ?: return null
    return elementTypeOf(from)?.wideningTo(wider)
}

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
