package dev.cairn.output

import dev.cairn.concentrate.Request
import dev.cairn.grid.Box
import dev.cairn.redistribution.Cells
import dev.cairn.redistribution.Image
import dev.cairn.redistribution.Runs
import dev.cairn.sion.netcdf.Values
import java.nio.ByteBuffer

/** Where cells of [box] belong: in the part of [record] of [variable]. */
internal open class PutPlace(val variable: FileVariable, val record: Long, val box: Box) {
    /** The number of the first cell in its part. */
    val firstCell: Long get() = variable.cell(LongArray(box.dimensions(), box::start))

    /** The number of the last one. */
    val lastCell: Long get() = variable.cell(LongArray(box.dimensions()) { box.end(it) - 1 })

    val byteCount: Long get() = variable.inBytes(box).cellCount()

    /** Where its bytes are in the file. */
    fun extents(): Request = variable.request(record, box, NO_CELLS, box)

    /** The place of those cells that are in [box], which lies in this one. */
    open fun within(box: Box) = PutPlace(variable, record, box)
}

private val NO_CELLS: Cells = Cells.of(ByteBuffer.allocate(0), 1)

/**
 * Cells that wait for their [place][PutPlace] in a file.
 *
 * @param cells the bytes of the cells of [all], as they will lie in the file
 */
internal open class Put(
    variable: FileVariable,
    record: Long,
    box: Box,
    private val cells: Cells,
    private val all: Box = box,
) : PutPlace(variable, record, box) {
    fun request(): Request = variable.request(record, box, cells, all)

    override fun within(box: Box) = Put(variable, record, box, cells, all)

    /** A buffer of its bytes. */
    open fun packed(): ByteBuffer {
        val own = variable.inBytes(box)
        val packed = ByteBuffer.allocate(Math.toIntExact(own.cellCount()))
        cells.copyTo(packed, Runs.of(own, Image.of(variable.inBytes(all)), Image.of(own)))
        return packed
    }
}

/** A put whose [bytes] are in memory. */
internal class MemoryPut(variable: FileVariable, record: Long, box: Box, val bytes: ByteBuffer) :
    Put(variable, record, box, Cells.of(bytes, 1)) {
    val values: Values get() = Values.ofCells(variable.variable.type(), bytes.duplicate())

    override fun packed(): ByteBuffer = bytes.duplicate()
}
