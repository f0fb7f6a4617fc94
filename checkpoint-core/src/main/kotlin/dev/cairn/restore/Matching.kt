package dev.cairn.restore

import dev.cairn.CheckpointException
import dev.cairn.state.PerRankItem
import dev.cairn.state.PerRankRule
import dev.cairn.state.Schema
import dev.cairn.state.StateItem
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestItem

/**
 * Which stored item goes where, for [rankCount] ranks. Every stored item must have a place, or be [removed] by name: no
 * state is dropped in silence. What is declared and was not stored keeps its first value.
 */
internal fun match(
    declared: List<StateItem>,
    manifest: Manifest,
    removed: Set<String>,
    rankCount: Int,
): List<Match> =
    manifest.items.mapIndexedNotNull { index, stored ->
        val item = declared.find { it.name == stored.name } ?: declared.find { stored.name in it.formerNames }
        if (item == null) {
            if (stored.name !in removed) throw notDeclared(stored, manifest)
            null
        } else {
            requireSameSchema(item, stored, manifest)
            requireRule(item, stored, manifest, rankCount)
            Match(item, stored, storedKey = index + 1)
        }
    }

/**
 * Restoring writes into the program's own arrays, so a checkpoint that turns out damaged half-way has changed some of the
 * items in [overwritten]. One that does not overwrite them all again would leave state of two steps.
 */
internal fun requireUndone(
    overwritten: Set<StateItem>,
    matches: List<Match>,
    manifest: Manifest,
    rankCount: Int,
) {
    val undone = matches.map { it.item }.filterNot { it.isDropped(manifest, rankCount) }.toSet()
    val item = overwritten.find { it !in undone } ?: return
    throw CheckpointException.SchemaDiffers(
        item.name,
        "a newer checkpoint turned out damaged when '${item.name}' may have been restored from it already, and " +
            "save ${manifest.save} has nothing to put in its place. Remove the damaged one and start again.",
    )
}

private fun StateItem.isDropped(
    manifest: Manifest,
    rankCount: Int,
) = this is PerRankItem<*> && rule is PerRankRule.Drop && manifest.rankCount != rankCount

private fun notDeclared(
    stored: ManifestItem,
    manifest: Manifest,
) = CheckpointException.SchemaDiffers(
    stored.name,
    "save ${manifest.save} holds the ${stored.kind} '${stored.name}', which the program does not declare. Declare " +
        "it, name it as a former name of what replaces it, or say removed(\"${stored.name}\") if nobody wants it any more.",
)

private fun requireSameSchema(
    item: StateItem,
    stored: ManifestItem,
    manifest: Manifest,
) {
    val found = Schema(stored.kind, stored.elementType, stored.shape)
    if (found == item.schema) return
    throw CheckpointException.SchemaDiffers(
        stored.name,
        "save ${manifest.save} holds '${stored.name}' as ${found.text()}, but the program declares '${item.name}' as " +
            "${item.schema.text()}. Declare it as it was stored, or give the new one another name.",
    )
}

private fun Schema.text(): String =
    "a $kind of $elementType" + if (shape.isEmpty()) "" else " with the shape ${shape.joinToString("x")}"

private fun requireRule(
    item: StateItem,
    stored: ManifestItem,
    manifest: Manifest,
    rankCount: Int,
) {
    if (item !is PerRankItem<*> || item.rule !is PerRankRule.Refuse || manifest.rankCount == rankCount) return
    throw CheckpointException.SchemaDiffers(
        stored.name,
        "'${stored.name}' is private to each rank, was saved by ${manifest.rankCount} ranks and has no rule for " +
            "$rankCount. Declare it with PerRankRule.Merge or PerRankRule.Drop, or restart on ${manifest.rankCount} ranks.",
    )
}
