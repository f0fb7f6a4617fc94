package dev.cairn.output

import dev.cairn.grid.Box
import dev.cairn.item.CellBlock
import dev.cairn.ranks.ProgramCode
import dev.cairn.redistribution.Image
import dev.cairn.sion.netcdf.NetcdfType
import dev.cairn.sion.netcdf.Values
import dev.cairn.state.ElementType
import java.nio.ByteBuffer
import java.nio.ByteOrder.BIG_ENDIAN
import java.nio.ByteOrder.LITTLE_ENDIAN

/** The cells of a rank that one append puts into [variable]; [type] is that in the program's arrays. */
internal class CellSource(
    val variable: FileVariable,
    private val type: ElementType,
    private val currentBlocks: () -> List<CellBlock>,
) {
    fun puts(record: Long): List<MemoryPut> =
        ProgramCode.run("the cells of the variable '${variable.name}'") {
            currentBlocks().filterNot { it.box.isEmpty }.map { variable.put(record, it, type) }
        }
}

/** The type in a file that has the values of this one. */
internal val ElementType.inFiles: NetcdfType
    get() =
        when (this) {
            ElementType.BOOLEAN, ElementType.BYTE -> NetcdfType.BYTE
            ElementType.SHORT -> NetcdfType.SHORT
            ElementType.CHAR -> NetcdfType.USHORT
            ElementType.INT -> NetcdfType.INT
            ElementType.LONG -> NetcdfType.INT64
            ElementType.FLOAT -> NetcdfType.FLOAT
            ElementType.DOUBLE -> NetcdfType.DOUBLE
        }

/**
 * The cells of [block], whose type is [type], as they will lie in the file.
 *
 * @throws IllegalArgumentException if the variable's type cannot have one of them
 */
internal fun FileVariable.put(record: Long, block: CellBlock, type: ElementType): MemoryPut {
    val size = Math.multiplyExact(block.box.cellCount(), type.size.toLong())
    require(size <= LARGEST_BLOCK) {
        "a block of variable '$name' has $size bytes, and at most $LARGEST_BLOCK are put at once. Put it in parts"
    }
    val bytes = ByteBuffer.allocate(size.toInt()).order(LITTLE_ENDIAN)
    block.copy(block.box, bytes, Image.of(block.box))
    bytes.reverseCells(type.size)
    val isConverted = type.inFiles != variable.type()
    val cells = if (isConverted) encode(Values.ofCells(type.inFiles, bytes), record, block.box) else bytes
    return MemoryPut(this, record, block.box, cells)
}

private fun FileVariable.encode(values: Values, record: Long, box: Box): ByteBuffer {
    val type = variable.type()
    val misfit = values.firstMisfit(type)
    require(misfit < 0) {
        val cell = box.cell(misfit.toLong()).asList()
        val place = if (hasRecords) "cell $cell of record $record" else "cell $cell"
        "variable '$name' has the type $type, which cannot have ${values.text(misfit)}, the value for $place. " +
            "Declare it with a wider type, or put other values"
    }
    return values.encodedAs(type)
}

/** Programs have the least significant byte of a cell first, and files the most significant one. */
private fun ByteBuffer.reverseCells(size: Int) {
    val (reversed, own) = duplicate().order(BIG_ENDIAN) to duplicate().order(LITTLE_ENDIAN)
    when (size) {
        Short.SIZE_BYTES -> reversed.asShortBuffer().put(own.asShortBuffer())
        Int.SIZE_BYTES -> reversed.asIntBuffer().put(own.asIntBuffer())
        Long.SIZE_BYTES -> reversed.asLongBuffer().put(own.asLongBuffer())
    }
}

private const val LARGEST_BLOCK = 1L shl 30
