package dev.cairn.restore

import dev.cairn.CheckpointException
import dev.cairn.cells.Widening
import dev.cairn.state.ArrayKind
import dev.cairn.state.Column
import dev.cairn.state.TableItem
import dev.cairn.state.elementTypeOf
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestColumn
import dev.cairn.store.ManifestItem

/**
 * How the columns of a stored table become those that the program declares. They follow the rules of whole items: what was
 * stored has a place or was removed by name. A new column needs a value for the rows that come back, since there is no first
 * one that it could keep.
 */
internal class ColumnMatching(
    private val table: TableItem,
    private val stored: ManifestItem,
    private val manifest: Manifest,
) {
    private val changes = table.changes
    private val storedNames = stored.columns.map { it.name }

    /** Where each stored column goes; one that was removed is read to be verified, and goes nowhere. */
    private val places: List<Column<*>?> = stored.columns.map(::placeOf)

    private val added: List<Column<*>> = table.columns - places.filterNotNull().toSet()

    init {
        added.forEach(::requireValue)
    }

    fun fit(): Fit {
        val columns = stored.columns.zip(places) { column, place -> place ?: removed(column) }
        return Fit(stored.columns.zip(columns, ::widening), columns, notes = notes())
    }

    private fun placeOf(column: ManifestColumn): Column<*>? {
        val place =
            table.columns.find { it.name == column.name }
                ?: table.columns.find { column.name in changes.formerNames(it.name) && it.name !in storedNames }
        if (place == null && !changes.isRemoved(column.name)) throw notDeclared(column)
        return place
    }

    private fun removed(column: ManifestColumn): Column<*> {
        val type = elementTypeOf(column.elementType) ?: throw unknown(column)
        return Column(column.name, ArrayKind.of(type))
    }

    private fun widening(
        column: ManifestColumn,
        place: Column<*>,
    ): Widening = elementTypeOf(column.elementType)?.wideningTo(place.type) ?: throw narrower(column, place)

    private fun requireValue(column: Column<*>) {
        if (changes.value(column) == null) throw noValue(column)
    }

    private fun notes(): List<String> {
        val placed = stored.columns.zip(places)
        val save = "save ${manifest.save}"
        return added.map { "${its(it.name)} is new since $save: rows from there get ${changes.value(it)}." } +
            placed.filter { (_, place) -> place == null }.map { (column, _) ->
                "${its(column.name)} in $save is not restored: the program has removed it."
            } +
            placed.filter { (column, place) -> place != null && place.name != column.name }.map { (column, place) ->
                "${its(place!!.name)} takes what $save holds as '${column.name}'."
            } +
            placed
                .filter { (column, place) ->
                    place != null && "${place.type}" != column.elementType
                }.map { (column, place) ->
                    "${its(place!!.name)} is widened from ${column.elementType} to ${place.type}."
                }
    }

    private fun its(column: String) = "the column '$column' of '${table.name}'"

    private fun notDeclared(column: ManifestColumn) =
        differs(
            "save ${manifest.save} holds ${its(
                column.name,
            )}, which the program does not declare. Declare it, name it " +
                "as a former name of what replaces it, or say removed(\"${column.name}\") in the table if nobody wants it any more.",
        )

    private fun noValue(column: Column<*>) =
        differs(
            "the program declares ${its(column.name)}, which save ${manifest.save} does not hold. Say " +
                "added(\"${column.name}\", value) in the table for the value of rows from there, or name its former name.",
        )

    private fun narrower(
        column: ManifestColumn,
        place: Column<*>,
    ) = differs(
        "save ${manifest.save} holds ${its(column.name)} as ${column.elementType}, but the program declares " +
            "'${place.name}' as ${place.type}. Declare it as it was stored, or give the new one another name.",
    )

    private fun unknown(column: ManifestColumn) =
        differs(
            "save ${manifest.save} holds ${its(column.name)} as ${column.elementType}, a type that this version does " +
                "not know.",
        )

    private fun differs(difference: String) = CheckpointException.SchemaDiffers(stored.name, difference)
}
