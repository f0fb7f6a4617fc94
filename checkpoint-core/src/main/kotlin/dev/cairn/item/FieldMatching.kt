package dev.cairn.item

import dev.cairn.event.CheckpointException
import dev.cairn.state.elementTypeOf
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestItem

/** The conversion of the cells of a stored field to those of [field]: of the same shape, and as wide or wider. */
internal fun fieldConversion(
    field: FieldItem,
    stored: ManifestItem,
    manifest: Manifest,
): Conversion {
    if (stored.shape != field.schema.shape) throw reshaped(field, stored, manifest)
    val widening =
        elementTypeOf(stored.elementType)?.wideningTo(field.type) ?: throw differs(field, stored, manifest)
    val note = "'${field.name}' is widened from ${stored.elementType} to ${field.type}."
    return Conversion(listOf(widening), notes = if (widening.isNone) emptyList() else listOf(note))
}

private fun reshaped(
    field: FieldItem,
    stored: ManifestItem,
    manifest: Manifest,
): CheckpointException {
    val (found, wanted) = stored.shape.joinToString("x") to field.schema.shape.joinToString("x")
    return notFitting(
        stored.name,
        "save ${manifest.save} holds the field '${stored.name}' with the shape $found, but the program declares " +
            "'${field.name}' with $wanted. The cells of one shape cannot be restored into another: restore the field " +
            "with the stored shape, and copy it into a new field of another name.",
    )
}
