package dev.cairn.item

import dev.cairn.checkpoint.SnapshotMemory
import dev.cairn.concentrate.ArrayRequest
import dev.cairn.concentrate.Request
import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.redistribution.CellDigester
import dev.cairn.redistribution.Cells
import dev.cairn.redistribution.Image
import dev.cairn.redistribution.Runs
import dev.cairn.redistribution.Widening
import java.nio.ByteBuffer

/**
 * A box of cells that this rank owns.
 *
 * @property array the cells in the program's array: the box, with or without a halo around it
 * @property current returns the cells, since the program may replace its array
 * @property held returns the array itself; null if the cells are in none
 */
internal class CellBlock(
    val box: Box,
    private val array: Box,
    private val current: () -> Cells,
    val held: () -> Any? = { null },
) {
    constructor(box: Box, array: Box, cells: Cells) : this(box, array, { cells })

    private val cells get() = current()

    /** Assigns the cells of [part] from [bytes], in which [image] is their layout. */
    fun assign(part: Box, bytes: ByteBuffer, image: Image) =
        cells.copyFrom(bytes, Runs.of(part, Image.of(array), image))

    fun copy(part: Box, bytes: ByteBuffer, image: Image) = cells.copyTo(bytes, Runs.of(part, Image.of(array), image))

    /** These cells as a part of an array of [shape]. */
    fun request(shape: Shape): Request = ArrayRequest(shape, offset = 0, box, cells, array)

    /** The same cells in [memory]; null if there is no room for them. */
    fun copy(memory: SnapshotMemory, elementSize: Int): CellBlock? {
        val room = memory.take(Math.multiplyExact(box.cellCount(), elementSize.toLong())) ?: return null
        var start = 0L
        for (piece in room) {
            val end = start + piece.remaining() / elementSize
            Image.of(box).between(start, end).forEach { copy(it.box, piece, it) }
            start = end
        }
        return CellBlock(box, box, Cells.of(room, elementSize))
    }

    /** The same block for stored cells that are narrower, as [widening] states. */
    fun storedAs(widening: Widening) = CellBlock(box, array, cells.storedAs(widening))

    fun digest(digester: CellDigester, part: Box, shape: Shape) =
        cells.digest(digester, Runs.of(part, Image.of(array), Image.of(shape.box())))
}
