package dev.cairn.output

import dev.cairn.concentrate.ArrayRequest
import dev.cairn.concentrate.Request
import dev.cairn.event.counted
import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.redistribution.Cells
import dev.cairn.state.ArrayKind
import dev.cairn.state.ElementType

/**
 * The arrays of one call, and the part of each that one rank owns. Passed to the function that declares them, and of no use
 * afterwards.
 */
public class OwnedArrays internal constructor() {
    private val declared = mutableListOf<OwnedArray>()

    /**
     * An array of [shape]. All ranks declare the same arrays in the same order, each with its own box.
     *
     * @param box the cells that this rank owns; it may be empty
     * @param values a primitive array, such as a `DoubleArray`, of one cell for each of [box], in row-major order
     */
    public fun array(name: String, shape: Shape, box: Box, values: Any) {
        val kind = ArrayKind.ofArrays(values.javaClass)
        require(name.isNotEmpty() && declared.none { it.name == name }) {
            "an array has the name '$name': give each one a name of its own"
        }
        require(Charsets.UTF_8.newEncoder().canEncode(name)) {
            "the name of an array has half a character of two at ${name.indexOfFirst(Char::isSurrogate)}: " +
                "give it one that can be written in UTF-8"
        }
        require(shape.box().contains(box)) {
            "array '$name': the box $box is not within the shape $shape. Pass a box inside it"
        }
        require(kind.size(values).toLong() == box.cellCount()) {
            val cells = counted(box.cellCount(), "cell")
            "array '$name': the box $box has $cells, but the ${values.javaClass.typeName} has ${kind.size(values)}. " +
                "Pass one cell for each of the box"
        }
        declared += OwnedArray(name, kind.type, shape, box, kind.cells(values))
    }

    internal fun list(): List<OwnedArray> = declared.toList()

    internal class OwnedArray(
        val name: String,
        val type: ElementType,
        val shape: Shape,
        val box: Box,
        val cells: Cells,
    ) {
        fun entryAt(offset: Long) = ArrayEntry(name, "$type", List(shape.dimensions()) { shape.extent(it) }, offset)

        fun requestAt(offset: Long): Request = ArrayRequest(shape, offset, box, cells)
    }
}
