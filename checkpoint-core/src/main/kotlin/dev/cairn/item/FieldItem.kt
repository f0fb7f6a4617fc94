package dev.cairn.item

import dev.cairn.cells.CellDigester
import dev.cairn.cells.Cells
import dev.cairn.cells.Image
import dev.cairn.cells.Runs
import dev.cairn.cells.Widening
import dev.cairn.comm.ProgramCode
import dev.cairn.contents.TableOfContents
import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.state.ElementType
import java.nio.ByteBuffer

/**
 * A global array, of which this rank has some blocks. Which ones, the program is asked anew for each save and each restore,
 * since they may move in between.
 */
internal class FieldItem(
    override val name: String,
    override val key: Int,
    override val formerNames: List<String>,
    val type: ElementType,
    val shape: Shape,
    val coverage: Coverage,
    private val currentBlocks: () -> List<Block>,
) : StateItem {
    /** This rank's boxes when those of all ranks were last known to make up the field. */
    private var checkedBoxes: List<Box>? = null

    /**
     * A box of cells that this rank owns.
     *
     * @property array which cells the program's array holds: the box, and a halo around it perhaps
     * @property current the cells as they are now, since the program may exchange its array for another one
     */
    class Block(
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
        fun storedAs(widening: Widening) = Block(box, array, cells.storedAs(widening))

        fun digest(
            digester: CellDigester,
            part: Box,
            shape: Shape,
        ) = cells.digest(digester, Runs.of(part, Image.of(array), Image.of(shape.box())))
    }

    /** The blocks as they are now. */
    fun blocks(): List<Block> = ProgramCode.run("the blocks of the field '$name'") { currentBlocks() }

    /** Refuses the boxes that all ranks have of it, as their [tables] say, if they do not make up the field. */
    fun requireTiled(tables: List<TableOfContents>) =
        coverage.requireTiled(name, shape, tables.map { it.entry(key)?.boxes.orEmpty() })

    /** Notes that all ranks know that their boxes make up the field, this rank's [boxes] among them. */
    fun acceptTiling(boxes: List<Box>) {
        checkedBoxes = boxes
    }

    override val schema get() = Schema(KIND, type.toString(), List(shape.dimensions()) { shape.extent(it) })

    override val layout get() = coverage.layout

    override val terms: List<String> get() = coverage.layout.values.toList()

    override fun capture(rank: Int): Capture = FieldCapture(blocks())

    private inner class FieldCapture(
        private val blocks: List<Block>,
    ) : SingleCapture {
        override val boxes = blocks.map { it.box }
        override val key get() = this@FieldItem.key
        private val ends = boxes.runningFold(0L) { end, box -> Math.addExact(end, box.cellCount()) }

        override val elementCount get() = ends.last()
        override val size = Math.multiplyExact(elementCount, type.size.toLong())

        override val hasMoved get() = boxes != checkedBoxes

        override fun acceptTiling() = acceptTiling(boxes)

        override fun read(
            start: Long,
            target: ByteBuffer,
            digester: CellDigester,
        ) {
            val first = start / type.size
            val end = first + target.remaining() / type.size
            val stored = Cells.of(target, type.size)
            for ((index, block) in blocks.withIndex()) {
                if (ends[index] < end && ends[index + 1] > first) {
                    for (part in Image(block.box, ends[index]).between(first, end)) {
                        block.copy(part.box, target, part)
                        stored.digest(digester, Runs.of(part.box, part, Image.of(shape.box())))
                    }
                }
            }
            target.position(target.limit())
        }
    }

    companion object {
        const val KIND = "field"
    }
}
