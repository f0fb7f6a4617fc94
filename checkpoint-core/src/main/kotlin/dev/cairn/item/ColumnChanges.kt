package dev.cairn.item

import dev.cairn.event.requireDeclared
import dev.cairn.state.ElementType
import dev.cairn.state.Meaning
import java.lang.reflect.Array

/** The declared changes of a table's columns since older versions of the program. */
internal class ColumnChanges(private val table: String) {
    private val formerNames = mutableMapOf<String, List<String>>()
    private val removed = mutableSetOf<String>()
    private val values = mutableMapOf<String, Any>()

    fun rename(column: String, names: List<String>) {
        formerNames[column] = formerNames(column) + names
    }

    fun remove(column: String) {
        removed += column
    }

    fun add(column: String, value: Any) {
        values[column] = value
    }

    fun formerNames(column: String): List<String> = formerNames[column].orEmpty()

    fun isRemoved(column: String): Boolean = column in removed

    /** The declared changes in words; all ranks must declare the same. */
    fun terms(): List<String> =
        formerNames.map { (column, names) -> "'$column' formerly ${names.joinToString { "'$it'" }}" } +
            removed.map { "'$it' removed" } +
            values.map { (column, value) -> "'$column' added as $value" }

    /** The value of [column] for rows of checkpoints without it; null if the program declares none. */
    fun value(column: Column<*>): Any? = value(column.title)

    fun value(title: String): Any? = values[title]

    /** As [value], in a column of constants: the name of one. */
    fun constant(title: String): Any? = value(title).let { (it as? Enum<*>)?.name ?: it }

    /** The array of a column that a checkpoint does not have. */
    fun create(column: Column<*>, rowCount: Int): Any {
        val value =
            checkNotNull(value(column)) {
                "'${column.name}' of '$table' has no value to begin with: please report this"
            }
        val cell = cellOf(column, value)
        return column.create(rowCount).also { array -> repeat(rowCount) { Array.set(array, it, cell) } }
    }

    /** The cell of [column] that represents [value]. */
    private fun cellOf(column: Column<*>, value: Any): Any =
        when (val meaning = column.meaning) {
            is Meaning.Number -> value
            is Meaning.Constants -> numberOf(column, meaning.constants.indexOf(constant(column.title)))
            is Meaning.TextPart -> Array.get(partOf(meaning, value as String), 0)
            is Meaning.ListChecksum -> 0L
        }

    private fun partOf(meaning: Meaning.TextPart, text: String) =
        TextForm(table, meaning.column, meaning.atMost).encode(arrayOf(text), 1)[meaning.part]

    private fun numberOf(column: Column<*>, place: Int): Any {
        requireDeclared(place >= 0) { "'${column.name}' has no such constant" }
        return if (column.type == ElementType.BYTE) place.toByte() else place.toShort()
    }

    /**
     * The array at [index] of [rows] as one of [column], whose constants may have other places in the enum than when stored. Rows for which
     * [isIn] is false have no constant there.
     */
    fun translate(column: Column<*>, rows: Rows, index: Int, isIn: (row: Int) -> Boolean): Any {
        val today = column.meaning as? Meaning.Constants ?: return rows.arrays[index]
        val then = rows.columns[index].meaning as Meaning.Constants
        if (today == then) return rows.arrays[index]
        val places = then.constants.map { today.constants.indexOf(it) }
        val array = column.create(rows.count)
        for (row in (0 until rows.count).filter(isIn)) {
            val place = EnumForm.placeIn(rows.arrays[index], row)
            if (places.getOrElse(place) { -1 } < 0) throw gone(column, then.constants.getOrElse(place) { "$place" })
            Array.set(array, row, numberOf(column, places[place]))
        }
        return array
    }

    private fun gone(column: Column<*>, constant: String) =
        notFitting(
            table,
            "rows of the checkpoint have $constant in the column '${column.title}' of '$table', which the program no " +
                "longer has: it has ${column.meaning.of(column.type)}. Keep the constant, or declare " +
                "removed(\"${column.title}\") in the table and give the new column another name.",
        )

    /** Refuses changes that do not fit the declared [columns]. */
    fun requireFit(columns: List<Column<*>>) {
        val names = columns.map { it.title }.distinct()
        val missing = (formerNames.keys + values.keys).firstOrNull { it !in names }
        requireDeclared(missing == null, table) {
            "table '$table' declares a change of its column '$missing', but has only $names"
        }
        val known = names + formerNames.values.flatten() + removed
        val twice = known.find { name -> known.count { it == name } > 1 }
        requireDeclared(twice == null, table) {
            "table '$table' has two rules for the column '$twice': each name stands for one column"
        }
        columns.filter { it.title in values }.forEach(::requireValue)
    }

    private fun requireValue(column: Column<*>) =
        requireDeclared(runCatching { create(column, 1) }.isSuccess, table) {
            "table '$table' gives rows without the column '${column.title}' the value '${value(column)}' there, " +
                "but it is of ${column.meaning.of(column.type)}"
        }
}
