package dev.cairn.state

/** The program's own array of a column: how to get it, and what to do with a new one. */
internal class BoundColumn<A : Any>(
    val column: Column<A>,
    private val get: () -> A,
    private val set: (A) -> Unit,
) {
    fun array(): A = get()

    fun sizeOf(array: Any): Int = column.kind.size(column.of(array))

    fun assign(array: Any) = set(column.of(array))
}

/** How many rows the program has, if not as many as its arrays have elements. */
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
    override val columns = bound.map { it.column }

    override fun rows(): Rows {
        val arrays: List<Any> = bound.map { it.array() }
        val sizes = bound.zip(arrays) { column, array -> column.sizeOf(array) }
        val count = rowCount?.get?.invoke() ?: sizes.first()
        for ((column, size) in columns.zip(sizes)) requireSize(column, size, count)
        return Rows(columns, arrays.toMutableList(), count)
    }

    private fun requireSize(
        column: Column<*>,
        size: Int,
        count: Int,
    ) = check(if (rowCount == null) size == count else count in 0..size) {
        "table '$table' has $count rows, but the array of its column '${column.name}' has $size elements. " +
            "Make it as long, or say with rows() how many of the elements are rows."
    }

    override fun assign(rows: Rows) {
        bound.forEach { it.assign(checkNotNull(rows.array(it.column.name))) }
        rowCount?.set?.invoke(rows.count)
    }
}
