package dev.cairn.concentrate

import dev.cairn.concentrate.Request.Companion.NONE
import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.redistribution.Cells
import dev.cairn.redistribution.Image
import dev.cairn.redistribution.Runs
import java.nio.ByteBuffer

/**
 * The box of one rank in an array that lies in a logical file in row-major order. All borders between which it is asked for bytes
 * fall between two cells.
 *
 * @param offset where the array begins in the logical file
 * @param cells the cells of [within], in row-major order
 * @param within the box, or the box and a halo around it
 */
internal class ArrayRequest(
    shape: Shape,
    private val offset: Long,
    private val box: Box,
    private val cells: Cells,
    within: Box = box,
) : Request {
    private val whole = Image.of(shape.box())
    private val own = Image.of(within)
    private val cellSize = cells.elementSize().toLong()

    override val end: Long =
        if (box.isEmpty) {
            0
        } else {
            offset +
                cellSize * (1 + whole.box.index(*LongArray(box.dimensions()) { box.end(it) - 1 }))
        }

    override val isInMemory: Boolean get() = cells.isInMemory()

    /** The first cell of each part is the lowest one in it, and parts come in ascending order. */
    override fun nextByte(from: Long): Long {
        if (box.isEmpty) return NONE
        val part = whole.between(cellAt(from), whole.end()).firstOrNull { it.box.intersects(box) } ?: return NONE
        return offset + cellSize * indexOfFirst(part.box.intersection(box))
    }

    override fun forEachExtent(from: Long, to: Long, visit: (offset: Long, length: Int) -> Unit) =
        forEachPart(from, to) { part ->
            Runs.of(part, whole, whole).forEach { _, cell, count ->
                visit(offset + cell * cellSize, count * cells.elementSize())
            }
        }

    override fun copyTo(target: ByteBuffer, from: Long, to: Long) =
        forEachPart(from, to) { part ->
            cells.copyTo(target, Runs.of(part, own, Image.of(part)))
            target.skip(part)
        }

    override fun copyInto(target: ByteBuffer, from: Long, to: Long) {
        val first = cellAt(from)
        val start = offset + first * cellSize - from
        forEachPart(from, to) { part ->
            cells.copyTo(target.duplicate().position(start.toInt()), Runs.of(part, own, Image(whole.box, -first)))
        }
    }

    override fun copyFrom(source: ByteBuffer, from: Long, to: Long) =
        forEachPart(from, to) { part ->
            cells.copyFrom(source, Runs.of(part, own, Image.of(part)))
            source.skip(part)
        }

    private inline fun forEachPart(from: Long, to: Long, visit: (Box) -> Unit) {
        for (part in whole.between(cellAt(from), cellAt(to))) {
            if (part.box.intersects(box)) visit(part.box.intersection(box))
        }
    }

    /** The cell that begins at [position] of the logical file; the first or the end of all if the position is outside of the array. */
    private fun cellAt(position: Long): Long {
        val bytes = (position - offset).coerceIn(0, whole.end() * cellSize)
        check(bytes % cellSize == 0L) { "byte $position is within a cell of the array at byte $offset" }
        return bytes / cellSize
    }

    private fun indexOfFirst(part: Box): Long = whole.box.index(*LongArray(part.dimensions()) { part.start(it) })

    private fun ByteBuffer.skip(part: Box) = position(position() + Math.toIntExact(part.cellCount() * cellSize))
}
