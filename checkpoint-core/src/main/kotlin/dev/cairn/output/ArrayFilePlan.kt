package dev.cairn.output

import dev.cairn.concentrate.LogicalFile
import dev.cairn.concentrate.Pattern
import dev.cairn.concentrate.Request.Companion.NONE
import dev.cairn.output.ArrayTable.Companion.ALIGNMENT
import dev.cairn.output.OwnedArrays.OwnedArray
import java.nio.ByteBuffer

/** Where the arrays of a file lie, and how it is cut into stripes. Alike on all ranks. Pure. */
internal class ArrayFilePlan private constructor(val entries: List<ArrayEntry>, val length: Long, val frameSize: Int) {
    val file = LogicalFile(length, frameSize.toLong(), ::depthFor)

    /** Zeros where no array is, so that each byte of the file is written. */
    fun gaps(): List<Pattern> =
        (listOf(0L) + entries.map { it.end })
            .zip(entries) { end, next -> Pattern(end, next.offset, ZERO) }
            .filter { it.nextByte(0) != NONE }

    /** What lies at byte [position]. */
    fun nameOf(position: Long): String {
        val entry = entries.findLast { it.offset <= position && position < it.end } ?: return "byte $position"
        val cell = entry.shape().cell((position - entry.offset) / entry.elementType.size)
        return "cell ${cell.contentToString()} of array '${entry.name}'"
    }

    /** Each concentrator writes large pieces, and all have something to do if there is enough for them. */
    private fun depthFor(count: Int): Long {
        val share = (length / count / frameSize + 1) * frameSize
        return minOf(share, maxOf(LARGEST_PIECE / frameSize, 1) * frameSize.toLong())
    }

    companion object {
        private const val FRAME_SIZE = 1 shl 20
        private const val LARGEST_PIECE = 16 shl 20
        private val ZERO = ByteBuffer.allocate(1)

        /** The plan of a new file. */
        fun of(arrays: List<OwnedArray>): ArrayFilePlan {
            var end = 0L
            val entries =
                arrays.map { array ->
                    array.entryAt(Math.addExact(end, ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT).also { end = it.end }
                }
            return ArrayFilePlan(entries, end, FRAME_SIZE)
        }

        /** The plan of a file that has [table]. */
        fun of(table: ArrayTable) = ArrayFilePlan(table.arrays, table.length, table.frameSize)
    }
}
