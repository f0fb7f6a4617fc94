package dev.cairn.item

import dev.cairn.checkpoint.meaningOf
import dev.cairn.redistribution.Widening
import dev.cairn.state.ArrayKind
import dev.cairn.state.Meaning
import dev.cairn.state.elementTypeOf
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestColumn
import dev.cairn.store.ManifestItem

/**
 * Matches the columns of a stored table with those that the program declares, by the rules of whole items: each stored column
 * has a declared one or was removed by name. A new column needs a value for the restored rows, since these have no first value
 * to keep.
 */
internal class ColumnMatching(
    private val table: TableItem,
    private val stored: ManifestItem,
    private val manifest: Manifest,
) {
    private val changes = table.changes
    private val storedTitles = stored.columns.map { it.title }
    private val titles = table.columns.map { it.title }.distinct()

    /** The declared column of each stored one; null for a removed one, which is read only to be verified. */
    private val places: List<Column<*>?> = placeColumns()

    /** New columns. The additional arrays of a text that was widened are not among them. */
    private val added: List<Column<*>> =
        places.filterNotNull().map { it.title }.let { known -> table.columns.filter { it.title !in known } }

    init {
        added.find { changes.value(it) == null }?.let { throw noValue(it) }
    }

    fun fit(): Conversion {
        val columns =
            stored.columns.zip(places) { column, place ->
                if (place == null) columnOf(column, column.name) else asStored(column, place)
            }
        return Conversion(stored.columns.zip(columns, ::widening), columns, notes = notes())
    }

    private fun placeColumns(): List<Column<*>?> {
        val places = stored.columns.associateWith(::titleFor)
        val sources = places.entries.groupBy({ it.value }, { it.key.title }).mapValues { it.value.distinct() }
        sources.entries.find { it.key != null && it.value.size > 1 }?.let { throw twoSources(it.key!!, it.value) }
        return stored.columns.map { column -> places[column]?.let { partOf(it, column) } }
    }

    /** The declared column of a stored one, by the rules of whole items; null if it was removed. */
    private fun titleFor(column: ManifestColumn): String? {
        val successors = titles.filter { column.title in changes.formerNames(it) }
        val title = titles.find { it == column.title } ?: successors.find { it !in storedTitles }
        if (title != null || changes.isRemoved(column.title)) return title
        return successors.firstOrNull() ?: throw notDeclared(column)
    }

    private fun partOf(title: String, column: ManifestColumn): Column<*> {
        val parts = table.columns.filter { it.title == title }
        return parts.find { isSame(meaningOf(column), it.meaning) } ?: throw narrower(column, parts.first())
    }

    private fun isSame(stored: Meaning, declared: Meaning): Boolean =
        when (stored) {
            is Meaning.Number -> declared is Meaning.Number
            is Meaning.Constants -> declared is Meaning.Constants
            is Meaning.TextPart -> declared is Meaning.TextPart && isSamePart(stored, declared)
            is Meaning.ListChecksum -> declared is Meaning.ListChecksum
        }

    private fun isSamePart(stored: Meaning.TextPart, declared: Meaning.TextPart) =
        stored.part == declared.part && stored.atMost <= declared.atMost

    /** Constants keep their stored places until all rows have been verified. */
    private fun asStored(column: ManifestColumn, place: Column<*>): Column<*> =
        if (place.meaning is Meaning.Constants) columnOf(column, place.name) else place

    private fun columnOf(column: ManifestColumn, name: String): Column<*> {
        val type = elementTypeOf(column.elementType) ?: throw unknown(column)
        return Column(name, ArrayKind.of(type), meaningOf(column))
    }

    private fun widening(column: ManifestColumn, place: Column<*>): Widening =
        elementTypeOf(column.elementType)?.wideningTo(place.type) ?: throw narrower(column, place)

    private fun notes(): List<String> {
        val placed = stored.columns.zip(places).filter { (column, _) -> column.isFirst }
        val save = "save ${manifest.save}"
        return added.distinctBy { it.title }.map {
            "${nameOf(it.title)} is new since $save: rows from there get ${changes.value(it)}."
        } +
            placed.filter { (_, place) -> place == null }.map { (column, _) ->
                "${nameOf(column.title)} in $save is not restored: the program has removed it."
            } +
            placed.filter { (column, place) -> place != null && place.title != column.title }.map { (column, place) ->
                "${nameOf(place!!.title)} takes the data that $save holds as '${column.title}'."
            } +
            placed.mapNotNull { (column, place) -> place?.let { widened(column, it) } }
    }

    private fun widened(column: ManifestColumn, place: Column<*>): String? {
        val then = typeOf(column)
        val today = place.meaning.of(place.type)
        if (then == today || place.meaning is Meaning.Constants) return null
        return "${nameOf(place.title)} is widened from $then to $today."
    }

    private fun typeOf(column: ManifestColumn): String =
        elementTypeOf(column.elementType)?.let { meaningOf(column).of(it) } ?: column.elementType

    private fun nameOf(column: String) = "the column '$column' of '${table.name}'"

    private fun notDeclared(column: ManifestColumn) =
        differs(
            "save ${manifest.save} holds ${nameOf(column.title)}, which the program does not declare. Declare " +
                "it, name it as a former name of the column that replaces it, or declare " +
                "removed(\"${column.title}\") in the table if it is no longer needed.",
        )

    private fun twoSources(title: String, sources: List<String>) =
        differs(
            "save ${manifest.save} holds the columns ${sources.joinToString(" and ") { "'$it'" }} of " +
                "'${table.name}', which are all names of '$title', of today or former ones, so the data of one " +
                "would be lost. Name one of them only, and declare a column for the other, or declare it as removed.",
        )

    private fun noValue(column: Column<*>) =
        differs(
            "the program declares ${nameOf(column.title)}, which save ${manifest.save} does not hold. Declare " +
                "added(\"${column.title}\", value) in the table for the value of rows from there, or declare its " +
                "former name.",
        )

    private fun narrower(column: ManifestColumn, place: Column<*>) =
        differs(
            "save ${manifest.save} holds ${nameOf(column.title)} as ${typeOf(column)}, but the program declares " +
                "'${place.title}' as ${place.meaning.of(place.type)}. Declare it as it was stored, or give the new " +
                "one another name.",
        )

    private fun unknown(column: ManifestColumn) =
        differs(
            "save ${manifest.save} holds ${nameOf(column.name)} as ${column.elementType}, a type that this version " +
                "does not know.",
        )

    private fun differs(difference: String) = notFitting(stored.name, difference)
}
