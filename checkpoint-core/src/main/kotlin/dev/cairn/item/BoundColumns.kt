package dev.cairn.item

import dev.cairn.event.requireDeclared

/** The program's own array of a column, of the class [type]: a function that returns it, and one that replaces it. */
internal class BoundColumn(
    val name: String,
    val type: Class<*>,
    val get: () -> Any?,
    val set: (Any) -> Unit,
)

/** The program's number of rows, where its arrays may be longer. */
internal class RowCount(
    val get: () -> Int,
    val set: (Int) -> Unit,
)

/** A table whose columns are arrays of the program. */
internal class BoundColumns(
    table: String,
    private val bound: List<BoundColumn>,
    textSizes: Map<String, Int>,
    private val rowCount: RowCount?,
) : TableSource<Row>(table) {
    override val forms =
        bound.map {
            formOf(
                it.name,
                "column '${it.name}'",
                it.type.componentType ?: it.type,
                textSizes,
            )
        }

    override fun rows(): Rows {
        val arrays = bound.map { it.get() ?: throw noArray(it.name) }
        val sizes =
            arrays.map {
                java.lang.reflect.Array
                    .getLength(it)
            }
        val count = rowCount?.get?.invoke() ?: sizes.first()
        bound.zip(sizes) { column, size -> requireSize(column.name, size, count) }
        return encode(arrays, count)
    }

    private fun noArray(column: String) =
        notStorable(
            table,
            "the column '$column' of the table '$table' has no array: the function that returns it returned " +
                "null. Let it return an array, which is empty where there are no rows.",
        )

    private fun requireSize(
        column: String,
        size: Int,
        count: Int,
    ) = requireDeclared(if (rowCount == null) size == count else count in 0..size) {
        "table '$table' has $count rows, but the array of its column '$column' has $size elements. " +
            "Make it as long, or say with rows() how many of the elements are rows."
    }

    override fun assign(rows: Rows) {
        bound.zip(decode(rows)) { column, array -> column.set(array) }
        rowCount?.set?.invoke(rows.count)
    }

    override fun reader(rows: Rows): (Int) -> Row {
        val row = Row(table, rows)
        return { number -> row.apply { this.number = number } }
    }
}
