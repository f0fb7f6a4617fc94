package dev.cairn.item

import dev.cairn.cells.CellDigester
import dev.cairn.cells.Cells
import dev.cairn.cells.Image
import dev.cairn.cells.Runs
import dev.cairn.cells.Widening
import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import java.nio.ByteBuffer

/**
 * A box of cells that this rank owns.
 *
 * @property array which cells the program's array holds: the box, and a halo around it perhaps
 * @property current the cells as they are now, since the program may exchange its array for another one
 */
internal class CellBlock(
    val box: Box,
    private val array: Box,
    private val current: () -> Cells,
) {
    constructor(box: Box, array: Box, cells: Cells) : this(box, array, { cells })

    private val cells get() = current()

    /** Takes the cells of [part] from [bytes], where they lie as [image] says. */
    fun assign(
        part: Box,
        bytes: ByteBuffer,
        image: Image,
    ) = cells.copyFrom(bytes, Runs.of(part, Image.of(array), image))

    fun copy(
        part: Box,
        bytes: ByteBuffer,
        image: Image,
    ) = cells.copyTo(bytes, Runs.of(part, Image.of(array), image))

    /** The same block, whose cells are narrower where they are stored. */
    fun storedAs(widening: Widening) = CellBlock(box, array, cells.storedAs(widening))

    fun digest(
        digester: CellDigester,
        part: Box,
        shape: Shape,
    ) = cells.digest(digester, Runs.of(part, Image.of(array), Image.of(shape.box())))
}
