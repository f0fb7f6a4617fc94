package dev.cairn.output

import dev.cairn.grid.Box
import dev.cairn.item.CellBlock
import dev.cairn.redistribution.Cells

/**
 * The values of these rows as cells of an array of [count], in which the [id] of a row is its index. Pure.
 *
 * @param dimension the name of the ids, for refusals
 */
internal fun <R> List<R>.cellsOf(
    dimension: String,
    count: Long,
    id: (R) -> Long,
    value: (R) -> Double,
): List<CellBlock> {
    val sorted = sortedBy(id)
    val ids = LongArray(size) { id(sorted[it]) }
    requireIds(dimension, count, ids)
    val starts = ids.indices.filter { it == 0 || ids[it] != ids[it - 1] + 1 }
    return starts.zip(starts.drop(1) + size) { start, end ->
        val box = Box.of(longArrayOf(ids[start]), longArrayOf((end - start).toLong()))
        CellBlock(box, box, Cells.of(DoubleArray(end - start) { value(sorted[start + it]) }))
    }
}

private fun requireIds(dimension: String, count: Long, sorted: LongArray) {
    val foreign = sorted.firstOrNull { it !in 0 until count }
    require(foreign == null) {
        "a row has the id $foreign, but '$dimension' has $count rows with the ids 0 to ${count - 1}. Declare as " +
            "many rows as there are, and number them from 0"
    }
    val twice = (1 until sorted.size).firstOrNull { sorted[it] == sorted[it - 1] }
    require(twice == null) {
        "two rows of this rank have the id ${sorted[twice!!]} in '$dimension'. Let each row have its own"
    }
}
