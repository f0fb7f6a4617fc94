package dev.cairn.heap

/**
 * Pairs of objects that should be the same, in the order in which they were found, so nearest to the roots first: each with the pair that
 * led there, and by which step. A step is an element's index, or -1 and below for a field, or the number of a root.
 */
internal class Pairs {
    private var table = IntArray(COLUMNS * 1_024)
    var size = 0
        private set

    fun add(left: Int, right: Int, parent: Int, step: Int): Int {
        if (size * COLUMNS ==
            table.size
        ) {
            table =
                table.copyOf(Math.multiplyExact(table.size / COLUMNS + (table.size / COLUMNS shr 1), COLUMNS))
        }
        val start = size * COLUMNS
        table[start] = left
        table[start + 1] = right
        table[start + 2] = parent
        table[start + 3] = step
        return size++
    }

    fun left(pair: Int): Int = table[pair * COLUMNS]

    fun right(pair: Int): Int = table[pair * COLUMNS + 1]

    /** [ROOT] for one to which a root leads. */
    fun parent(pair: Int): Int = table[pair * COLUMNS + 2]

    fun step(pair: Int): Int = table[pair * COLUMNS + 3]

    companion object {
        const val ROOT = -1
        private const val COLUMNS = 4

        fun stepOfField(index: Int): Int = -1 - index

        fun fieldOfStep(step: Int): Int = -1 - step
    }
}
