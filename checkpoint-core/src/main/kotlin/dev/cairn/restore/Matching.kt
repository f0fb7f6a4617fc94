package dev.cairn.restore

import dev.cairn.event.CheckpointException.Damaged
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.counted
import dev.cairn.item.Conversion
import dev.cairn.item.Declared
import dev.cairn.item.RowItem
import dev.cairn.item.StateItem
import dev.cairn.item.conversionOf
import dev.cairn.item.isDropped
import dev.cairn.item.listsOfRows
import dev.cairn.item.missingRule
import dev.cairn.item.notFitting
import dev.cairn.state.PropertyChanges
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestItem
import java.nio.file.Path

/** An item of a checkpoint, and the declared item into which it is restored. */
internal class Match<out I : StateItem>(
    val item: I,
    val stored: ManifestItem,
    /** The first of its keys in the streams of the ranks that stored it. */
    val storedKey: Int,
    val conversion: Conversion,
)

/**
 * All matches between a checkpoint and the declared items, in the order in which the program declares these.
 *
 * @property notes the changes of the program's state and parameters since the save, in sentences
 * @property warnings what may be of another run, in sentences
 */
internal class Matching(val matches: List<Match<*>>, val notes: List<String>, val warnings: List<String>)

/**
 * Matches stored items with declared ones, for [rankCount] ranks. Every stored item must have a declared one, or be removed by
 * name: no state is dropped in silence. A [declared] item that was not stored keeps its first value. Parameters come first: where
 * they differ, items often do as well.
 */
internal fun match(declared: Declared, manifest: Manifest, rankCount: Int): Matching {
    val parameterChanges = parameterChanges(declared, manifest)
    val changes = PropertyChanges(declared.removed, declared.formerly)
    val places = manifest.items.associateWith { placeOf(it, declared, manifest) }
    // First of all: two items of one place would be refused for the type of one of them.
    requireOneSource(places, manifest)
    val matches =
        manifest
            .keyed()
            .mapNotNull { (stored, key) ->
                places[stored]?.let { item ->
                    val conversion = conversionOf(item, stored, manifest, changes)
                    requireRule(item, stored, manifest, rankCount)
                    Match(item, stored, key, conversion)
                }
            }.sortedBy { it.item.key }
    requireHolders(matches, manifest)
    val rankNotes =
        if (manifest.rankCount == rankCount) emptyList() else matches.mapNotNull { it.item.noteOnOtherRanks }
    val notes = parameterChanges + notes(declared.items, manifest, matches) + rankNotes
    return Matching(matches, notes, listOfNotNull(otherProgram(declared, manifest), newParameters(declared, manifest)))
}

/**
 * The declared item of the same name, or one with that former name; null if it was removed. One whose own name is stored, too, comes
 * last: it has two sources.
 */
private fun placeOf(stored: ManifestItem, declared: Declared, manifest: Manifest): StateItem? {
    val names = manifest.items.map { it.name }
    val successors =
        declared.items.filter { stored.name in it.formerNames + declared.formerly[it.name].orEmpty() }
    val item = declared.items.find { it.name == stored.name } ?: successors.find { it.name !in names }
    if (item != null || stored.name in declared.removed) return item
    return successors.firstOrNull() ?: throw notDeclared(stored, declared.words.wordFor(stored.kind), manifest)
}

/**
 * A restore writes into the program's own arrays, so one that fails because of damage may have changed some items. Refuses to
 * restore the save of [manifest] after that unless it replaces them all: the program would have state of two steps.
 *
 * @param begun the items that may have been restored from a damaged save, with the number of that save
 */
internal fun requireUndone(
    directory: Path,
    begun: Map<StateItem, Int>,
    matches: List<Match<*>>,
    manifest: Manifest,
    rankCount: Int,
) {
    val replaced = matches.map { it.item }.filterNot { it.isDropped(manifest.rankCount, rankCount) }.toSet()
    val (item, save) = begun.entries.find { it.key !in replaced } ?: return
    throw Damaged(
        Details(
            "$directory: save $save turned out damaged after '${item.name}' may have been restored from it, and a " +
                "restore of save ${manifest.save} would not replace it. Delete save $save with " +
                "'cairn rm $directory $save', and start again.",
            listOf(item.name),
            directory,
            Reason.HALF_RESTORED,
        ),
    )
}

/** What rows hold in lists comes back with these rows alone. */
private fun requireHolders(matches: List<Match<*>>, manifest: Manifest) {
    for (match in matches) {
        val holder = (match.item as? RowItem)?.holder ?: continue
        val columns =
            matches
                .find { it.item == holder.table }
                ?.conversion
                ?.columns
                .orEmpty()
        if (columns.any { it.name == holder.column }) continue
        throw notFitting(
            match.stored.name,
            "save ${manifest.save} holds '${match.stored.name}' for '${match.item.name}', but not how many of these " +
                "each row of '${holder.table.name}' has in '${holder.column}': declare former names of the table and " +
                "of its column, or declare '${match.stored.name}' as removed.",
        )
    }
}

/** An item takes the data of one stored item: with those of two, those of one would be lost. */
private fun requireOneSource(places: Map<ManifestItem, StateItem?>, manifest: Manifest) {
    val sources = places.entries.groupBy({ it.value }, { "'${it.key.name}'" })
    val (item, names) = sources.entries.find { it.key != null && it.value.size > 1 } ?: return
    throw notFitting(
        item!!.name,
        "save ${manifest.save} holds ${names.joinToString(" and ")}, which are all names of '${item.name}', of " +
            "today or former ones, so the data of one would be lost. Name one of them only, and declare an item for " +
            "the other, or declare it as removed.",
    )
}

private fun notDeclared(stored: ManifestItem, word: String, manifest: Manifest) =
    notFitting(
        stored.name,
        "save ${manifest.save} holds the $word '${stored.name}', which the program does not declare. " +
            "Declare it, name it as a former name of the item that replaces it, or declare " +
            "removed(\"${stored.name}\") if it is no longer needed.",
    )

/** The items that were added, removed, renamed or converted: these changes are logged, and do not stop the restore. */
private fun notes(declared: List<StateItem>, manifest: Manifest, matches: List<Match<*>>): List<String> {
    val added = (declared - matches.map { it.item }.toSet()).filter { it.name !in declared.listsOfRows }
    val left = manifest.items - matches.map { it.stored }.toSet()
    val renamed = matches.filter { it.item.name != it.stored.name }
    return added.map { "'${it.name}' is new since save ${manifest.save}: it keeps its first value." } +
        left.map { "'${it.name}' of save ${manifest.save} is not restored: the program has removed it." } +
        renamed.map { "'${it.item.name}' takes the data that save ${manifest.save} holds as '${it.stored.name}'." } +
        matches.flatMap { it.conversion.notes }
}

private fun requireRule(item: StateItem, stored: ManifestItem, manifest: Manifest, rankCount: Int) {
    if (manifest.rankCount == rankCount) return
    val missing = item.missingRule ?: return
    throw notFitting(
        stored.name,
        "'${stored.name}' is ${missing.what}, was saved by ${counted(
            manifest.rankCount,
            "rank",
        )} and has no rule for $rankCount. " +
            "${missing.remedy}, or restart on ${counted(manifest.rankCount, "rank")}.",
    )
}

/**
 * Plans a restart from a save by [rankCount] ranks, as far as that needs no data: a sentence on the numbers of ranks on which it
 * would succeed. Only items without a rule are refused, and on every other number of ranks.
 */
internal fun rehearse(items: List<StateItem>, rankCount: Int): String {
    val refusing = items.filter { it.missingRule != null }.map { "'${it.name}'" }
    if (refusing.isEmpty()) return "can be restored on any number of ranks"
    return "can be restored on ${counted(rankCount, "rank")} only, since ${refusing.joinToString()} " +
        (if (refusing.size == 1) "has" else "have") + " no rule for another number"
}
