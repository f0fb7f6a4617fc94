package dev.cairn.netcdf

import dev.cairn.concentrate.Request
import dev.cairn.grid.Box
import dev.cairn.sion.netcdf.Values
import java.nio.ByteBuffer

/**
 * Cells of [box] that wait for their place in a [record] of [variable].
 *
 * @property bytes the cells of [within], as they will lie in the file
 */
internal class Put(
    val variable: FileVariable,
    val record: Long,
    val box: Box,
    val bytes: ByteBuffer,
    private val within: Box = box,
) {
    /** The memory that it takes. */
    val byteCount: Int get() = bytes.capacity()

    val values: Values get() = Values.ofCells(variable.variable.type(), bytes.duplicate())

    fun request(): Request = variable.request(record, box, bytes, within)

    /** What is left of it when [later] cells replace those of the same place. */
    fun without(later: Box): List<Put> = box.without(later).map { Put(variable, record, it, bytes, within) }
}

/** The cells of this box that are not in [hole], as boxes. */
internal fun Box.without(hole: Box): List<Box> {
    if (!intersects(hole)) return listOf(this)
    val rest = mutableListOf<Box>()
    var middle = this
    for (dimension in 0 until dimensions()) {
        val (from, to) = middle.start(dimension) to middle.end(dimension)
        val start = maxOf(from, hole.start(dimension))
        val end = minOf(to, hole.end(dimension))
        rest += listOf(middle.cut(dimension, from, start), middle.cut(dimension, end, to)).filterNot { it.isEmpty }
        middle = middle.cut(dimension, start, end)
    }
    return rest
}

private fun Box.cut(
    dimension: Int,
    from: Long,
    to: Long,
): Box {
    val start = LongArray(dimensions(), ::start).also { it[dimension] = from }
    val extents = LongArray(dimensions(), ::extent).also { it[dimension] = to - from }
    return Box.of(start, extents)
}
