package dev.cairn.item

/** The numbers of [rows] by identity. An object that is there twice has the first one. */
internal class RowNumbers(private val rows: Array<Any?>) {
    /** A number and 1, at the first free place behind the hash of the object. */
    private val slots = IntArray(slotCount(rows.size))

    init {
        rows.forEachIndexed { number, row ->
            val place = if (row == null) return@forEachIndexed else placeOf(row)
            if (slots[place] == 0) slots[place] = number + 1
        }
    }

    /** Negative if it is none of the rows. */
    fun of(row: Any): Int = slots[placeOf(row)] - 1

    private fun placeOf(row: Any): Int {
        var place = System.identityHashCode(row) and (slots.size - 1)
        while (slots[place] != 0 && rows[slots[place] - 1] !== row) place = (place + 1) and (slots.size - 1)
        return place
    }
}

/** The numbers of rows by their [ids]. */
internal class RowIds(private val ids: LongArray) {
    private val isCounted = isCounted(ids.size) { ids[it] }
    private val slots = IntArray(if (isCounted) 0 else slotCount(ids.size))

    init {
        if (!isCounted) ids.forEachIndexed { number, id -> slots[placeOf(id)] = number + 1 }
    }

    /** Negative if no row has this [id]. */
    fun of(id: Long): Int {
        if (!isCounted) return slots[placeOf(id)] - 1
        val number = id - ids.first()
        return if (number in ids.indices) number.toInt() else -1
    }

    private fun placeOf(id: Long): Int {
        var place = (id * GOLDEN_STEP ushr Int.SIZE_BITS).toInt() and (slots.size - 1)
        while (slots[place] != 0 && ids[slots[place] - 1] != id) place = (place + 1) and (slots.size - 1)
        return place
    }
}

/** Whether the ids of [count] rows follow one another, as where a program counts its rows: then they show the numbers of these. */
internal inline fun isCounted(count: Int, id: (number: Int) -> Long): Boolean {
    val first = if (count > 0) id(0) else return false
    for (number in 1 until count) if (id(number) != first + number) return false
    return true
}

/** A power of two, so that of these a third stays free, or more. */
private fun slotCount(rowCount: Int): Int =
    minOf(2 * java.lang.Long.highestOneBit(maxOf(rowCount, 1) * 3L / 2), MOST_SLOTS).toInt()

private const val MOST_SLOTS = 1L shl 30
