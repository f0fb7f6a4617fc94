package dev.cairn

import dev.cairn.cells.Cells
import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.state.ElementType
import dev.cairn.state.FieldItem

/** Names the blocks of a field that this rank owns, and the arrays in which they are. */
@StateDsl
public class FieldBuilder internal constructor(
    private val name: String,
    private val shape: Shape,
    private val type: ElementType,
) {
    internal val blocks = mutableListOf<FieldItem.Block>()

    /**
     * The cells of [box], which are in [array] in row-major order. If the array holds more than the box, such as a halo
     * around it, [within] is the box of all its cells; the others are neither saved nor restored.
     */
    @JvmOverloads
    public fun block(
        box: Box,
        array: DoubleArray,
        within: Box = box,
    ): Unit = add(box, within, ElementType.DOUBLE, array.size) { Cells.of(array) }

    @JvmOverloads
    public fun block(
        box: Box,
        array: FloatArray,
        within: Box = box,
    ): Unit = add(box, within, ElementType.FLOAT, array.size) { Cells.of(array) }

    @JvmOverloads
    public fun block(
        box: Box,
        array: LongArray,
        within: Box = box,
    ): Unit = add(box, within, ElementType.LONG, array.size) { Cells.of(array) }

    @JvmOverloads
    public fun block(
        box: Box,
        array: IntArray,
        within: Box = box,
    ): Unit = add(box, within, ElementType.INT, array.size) { Cells.of(array) }

    @JvmOverloads
    public fun block(
        box: Box,
        array: ShortArray,
        within: Box = box,
    ): Unit = add(box, within, ElementType.SHORT, array.size) { Cells.of(array) }

    @JvmOverloads
    public fun block(
        box: Box,
        array: CharArray,
        within: Box = box,
    ): Unit = add(box, within, ElementType.CHAR, array.size) { Cells.of(array) }

    @JvmOverloads
    public fun block(
        box: Box,
        array: ByteArray,
        within: Box = box,
    ): Unit = add(box, within, ElementType.BYTE, array.size) { Cells.of(array) }

    @JvmOverloads
    public fun block(
        box: Box,
        array: BooleanArray,
        within: Box = box,
    ): Unit = add(box, within, ElementType.BOOLEAN, array.size) { Cells.of(array) }

    private fun add(
        box: Box,
        within: Box,
        arrayType: ElementType,
        arraySize: Int,
        cells: () -> Cells,
    ) {
        require(arrayType == type) { "field '$name' has cells of type $type, but a block's array is of $arrayType" }
        require(shape.box().contains(box)) { "field '$name' has the shape $shape, but a block of it is $box" }
        require(within.contains(box)) { "field '$name': the array holds $within, which is not all of the block $box" }
        require(within.cellCount() == arraySize.toLong()) {
            "field '$name': the array should hold the ${within.cellCount()} cells of $within, but has $arraySize"
        }
        blocks += FieldItem.Block(box, within, cells())
    }
}
