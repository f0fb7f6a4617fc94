package dev.cairn.restore

/**
 * What a rank has read of a table, before its rows go to their [owners], on another number of ranks.
 *
 * @property counts of each column that says so, how many further rows each row holds
 */
internal class RowShare(private val counts: Map<String, IntArray>, private val owners: IntArray?) {
    /** The rows that these rows hold by the [column]. */
    fun heldIn(column: String) = HeldRows(counts.getValue(column), owners)
}

/** Rows that the rows of a share hold, one list behind the other: [counts] of each, less than 0 for none. */
internal class HeldRows(private val counts: IntArray, private val holders: IntArray?) {
    val count: Long = counts.sumOf { maxOf(it, 0).toLong() }

    /** The owners of those that hold them. */
    val owners: IntArray?
        get() {
            if (holders == null) return null
            val all = IntArray(Math.toIntExact(count))
            var next = 0
            counts.forEachIndexed { row, held -> repeat(held) { all[next++] = holders[row] } }
            return all
        }
}
