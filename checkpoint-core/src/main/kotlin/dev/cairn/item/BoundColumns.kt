package dev.cairn.item

import dev.cairn.base.sizeOf
import dev.cairn.event.requireDeclared

/** The program's own array of a column: a function that returns it, and one that replaces it. */
internal class BoundColumn<A : Any>(
    private val table: String,
    val form: ColumnForm<A>,
    private val get: () -> A?,
    private val set: (A) -> Unit,
) {
    /** The array at this time. */
    inner class Current {
        private val array =
            get() ?: throw notStorable(
                table,
                "the column '${form.name}' of the table '$table' has no array: the function that returns it returned " +
                    "null. Let it return an array, which is empty where there are no rows.",
            )

        val size: Int get() = form.sizeOf(array)

        fun encode(count: Int): List<Any> = form.encode(array, count)
    }

    fun assign(
        arrays: List<Any>,
        count: Int,
    ) = set(form.decode(arrays, count))
}

/** The program's number of rows, where its arrays may be longer. */
internal class RowCount(
    val get: () -> Int,
    val set: (Int) -> Unit,
)

/** A table whose columns are arrays of the program. */
internal class BoundColumns(
    private val table: String,
    private val bound: List<BoundColumn<*>>,
    private val rowCount: RowCount?,
) : TableSource {
    override val columns = bound.flatMap { it.form.columns }

    override fun rows(): Rows {
        val current = bound.map { it.Current() }
        val count = rowCount?.get?.invoke() ?: current.first().size
        bound.zip(current) { column, array -> requireSize(column.form.name, array.size, count) }
        return Rows(columns, current.flatMap { it.encode(count) }.toMutableList(), count)
    }

    private fun requireSize(
        column: String,
        size: Int,
        count: Int,
    ) = requireDeclared(if (rowCount == null) size == count else count in 0..size) {
        "table '$table' has $count rows, but the array of its column '$column' has $size elements. " +
            "Make it as long, or say with rows() how many of the elements are rows."
    }

    override fun assign(rows: Rows) {
        bound.forEach { it.assign(rows.arrays(it.form.columns), rows.count) }
        rowCount?.set?.invoke(rows.count)
    }
}
