package dev.cairn.output

import dev.cairn.concentrate.ArrayRequest
import dev.cairn.concentrate.Request
import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.redistribution.Cells
import dev.cairn.sion.netcdf.NetcdfLayout
import dev.cairn.sion.netcdf.Variable

/**
 * A [variable] and its place in a file. A *part* of it is its cells of one record, or all of them if it has no records. Pure.
 *
 * @property number counts the variables in the header of the file, from 0
 */
internal class FileVariable(private val layout: NetcdfLayout, val number: Int, val variable: Variable) {
    val name: String get() = variable.name()
    val hasRecords: Boolean get() = variable.isRecordVariable

    /** The cells of a part. One without dimensions is an array of one cell. */
    val shape: Shape =
        variable
            .dimensions()
            .filterNot { it.isUnlimited }
            .map { it.length() }
            .ifEmpty { listOf(1L) }
            .let { Shape.of(*it.toLongArray()) }

    /** Whether a part is one cell, which needs no index. */
    val isSingle: Boolean get() = variable.dimensions().all { it.isUnlimited }

    val cellSize: Int = variable.type().size()
    private val begin = layout.begin(name)

    /** The bytes of the cells of a part. */
    val byteCount: Long = Math.multiplyExact(shape.cellCount(), cellSize.toLong())

    /** How many bytes follow the cells of a part in its record, so that the next part begins at a multiple of 4. */
    val padding: Int =
        if (hasRecords && layout.recordSize() != byteCount) (-byteCount).mod(WORD) else 0

    /** Where the part of [record] begins. */
    fun offset(record: Long): Long = if (hasRecords) begin + record * layout.recordSize() else begin

    /** The record in which the byte [position] of the file would be; 0 if it is before all records, or there are none. */
    fun recordAt(position: Long): Long =
        if (hasRecords && position > begin) (position - begin) / layout.recordSize() else 0

    /**
     * The cells of [box] in the part of [record].
     *
     * @param bytes those of the cells of [within], as they lie in the file
     */
    fun request(record: Long, box: Box, bytes: Cells, within: Box): Request =
        // As an array of bytes: variables follow each other so closely that a stripe may end within a cell.
        ArrayRequest(inBytes(shape.box()).shape(), offset(record), inBytes(box), bytes, inBytes(within))

    /** The place of [cell] in the variable, where records are the first dimension. */
    fun placeOf(record: Long, cell: LongArray): LongArray = longArrayOf(record) + if (isSingle) LongArray(0) else cell

    /** The cells of a part whose [places][placeOf] are given. */
    fun boxOf(start: LongArray, count: LongArray): Box =
        if (isSingle) shape.box() else Box.of(start.copyOfRange(1, start.size), count.copyOfRange(1, count.size))

    /** The number of a cell in its part. */
    fun cell(index: LongArray): Long = shape.box().index(*index)

    /** The bytes of the cells of [box], as cells of 1 byte: the last dimension is longer. */
    fun inBytes(box: Box): Box {
        val last = box.dimensions() - 1
        val start = LongArray(box.dimensions(), box::start).also { it[last] *= cellSize }
        val extents = LongArray(box.dimensions(), box::extent).also { it[last] *= cellSize }
        return Box.of(start, extents)
    }
}

private const val WORD = 4
