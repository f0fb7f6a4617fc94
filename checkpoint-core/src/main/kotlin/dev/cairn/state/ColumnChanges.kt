package dev.cairn.state

import java.lang.reflect.Array

/** How the columns of a table have changed since older versions of the program, as the program says. */
internal class ColumnChanges(
    private val table: String,
) {
    private val formerNames = mutableMapOf<String, List<String>>()
    private val removed = mutableSetOf<String>()
    private val values = mutableMapOf<String, Any>()

    fun rename(
        column: String,
        names: List<String>,
    ) {
        formerNames[column] = formerNames(column) + names
    }

    fun remove(column: String) {
        removed += column
    }

    fun add(
        column: String,
        value: Any,
    ) {
        values[column] = value
    }

    fun formerNames(column: String): List<String> = formerNames[column].orEmpty()

    fun isRemoved(column: String): Boolean = column in removed

    /** What was said, for people; all ranks must say the same. */
    fun terms(): List<String> =
        formerNames.map { (column, names) -> "'$column' formerly ${names.joinToString { "'$it'" }}" } +
            removed.map { "'$it' removed" } +
            values.map { (column, value) -> "'$column' added as $value" }

    /** What the rows of checkpoints without [column] get there; null if the program does not say. */
    fun value(column: Column<*>): Any? = values[column.name]

    /** The array of a column that a checkpoint does not have. */
    fun create(
        column: Column<*>,
        rowCount: Int,
    ): Any {
        val value =
            checkNotNull(
                value(column),
            ) { "'${column.name}' of '$table' has no value to begin with: please report this" }
        return column.create(rowCount).also { array -> repeat(rowCount) { Array.set(array, it, value) } }
    }

    /** Refuses what does not fit the [columns] that are declared. */
    fun requireFit(columns: List<Column<*>>) {
        val names = columns.map { it.name }
        val missing = (formerNames.keys + values.keys).firstOrNull { it !in names }
        require(missing == null) { "table '$table' says how its column '$missing' has changed, but has only $names" }
        val known = names + formerNames.values.flatten() + removed
        val twice =
            known
                .groupBy { it }
                .values
                .find { it.size > 1 }
                ?.first()
        require(twice == null) {
            "table '$table' says twice what becomes of the column '$twice': each name stands for one column"
        }
        columns.filter { it.name in values }.forEach(::requireValue)
    }

    private fun requireValue(column: Column<*>) =
        require(runCatching { create(column, 1) }.isSuccess) {
            "table '$table' gives rows without the column '${column.name}' the value '${value(column)}' there, " +
                "but it is of ${column.type}"
        }
}
