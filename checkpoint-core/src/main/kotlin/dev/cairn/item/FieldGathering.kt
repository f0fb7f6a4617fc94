package dev.cairn.item

import dev.cairn.checkpoint.DirectMemory
import dev.cairn.concentrate.Concentrators
import dev.cairn.concentrate.JoinedRequest
import dev.cairn.concentrate.LogicalFile
import dev.cairn.concentrate.Request
import dev.cairn.concentrate.ServedFile
import dev.cairn.concentrate.deal
import dev.cairn.concentrate.writeConcentrated
import dev.cairn.grid.Shape
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.collectively
import dev.cairn.redistribution.Cells
import dev.cairn.redistribution.Image
import dev.cairn.state.ElementType
import java.nio.ByteBuffer

/**
 * Gathers the cells of the field [name] on concentrators, which save them for all ranks: each has stripes of the array in row-major
 * order. Its memory serves one save after the other.
 */
internal class FieldGathering(private val name: String, private val shape: Shape, private val type: ElementType) {
    private var stripes: Stripes? = null

    /** Collective: the blocks that this rank saves when all ranks have [blocks]; none if it is no concentrator. */
    suspend fun gather(ranks: Communicator, concentrators: Concentrators, blocks: List<CellBlock>): List<CellBlock> {
        val gathering = ranks.during("gather the field '$name'")
        val request = JoinedRequest(blocks.map { it.request(shape) })
        val stripes = stripes ?: plan(gathering, concentrators, request).also { stripes = it }
        val put = { _: Int, position: Long, bytes: ByteBuffer -> stripes.put(position, bytes) }
        gathering.writeConcentrated(stripes.set, request, put, "gather the field '$name'")
        return stripes.blocks
    }

    private suspend fun plan(ranks: Communicator, concentrators: Concentrators, request: Request): Stripes {
        val byteCount = Math.multiplyExact(shape.cellCount(), type.size.toLong())
        val set = ranks.deal(concentrators, LogicalFile(byteCount) { depthFor(byteCount / it) }, request)
        return ranks.collectively("make room for what concentrators gather") { Stripes(set, byteCount, ranks.rank) }
    }

    /** A concentrator has few stripes, since each is a block of the field, but some, so that all are busy at once. */
    private fun depthFor(share: Long): Long =
        (share / MOST_STRIPES / PAGE + 1).times(PAGE).coerceIn(LEAST_DEPTH, LARGEST_DEPTH)

    /** The stripes of [rank], in memory. */
    private inner class Stripes(val set: ServedFile, private val byteCount: Long, rank: Int) {
        private val depth = depthFor(byteCount / set.concentrators.size)
        private val number = set.concentrators.indexOf(rank)
        private val memory = if (number < 0) emptyList() else lengths().map(::allocate)
        val blocks = memory.indices.flatMap(::blocksOf)

        /** The end of the array may lie in any stripe. */
        private fun lengths(): List<Int> =
            (0 until set.layout.lengthOf(number, byteCount) step depth).map {
                minOf(depth, byteCount - set.layout.logicalOffsetOf(number, it)).toInt()
            }

        private fun allocate(length: Int): ByteBuffer =
            try {
                ByteBuffer.allocateDirect(length)
            } catch (failure: OutOfMemoryError) {
                // The limit of direct memory, which is checked before anything is allocated: the heap is not concerned.
                val needed = set.layout.lengthOf(number, byteCount) + DirectMemory.RESERVE
                throw DirectMemory.exhausted(needed, failure)
            }

        private fun blocksOf(stripe: Int): List<CellBlock> {
            val bytes = memory[stripe]
            val first = set.layout.logicalOffsetOf(number, stripe * depth) / type.size
            return Image.of(shape.box()).between(first, first + bytes.capacity() / type.size).map {
                val part = bytes.slice((it.start * type.size).toInt(), (it.box.cellCount() * type.size).toInt())
                CellBlock(it.box, it.box, Cells.of(part, type.size))
            }
        }

        /** Takes [bytes] of the one sub-file that a concentrator has. */
        fun put(position: Long, bytes: ByteBuffer) {
            var next = position
            while (bytes.hasRemaining()) {
                val stripe = memory[(next / depth).toInt()]
                val start = (next % depth).toInt()
                val length = minOf(bytes.remaining(), stripe.capacity() - start)
                stripe.put(start, bytes, bytes.position(), length)
                bytes.position(bytes.position() + length)
                next += length
            }
        }
    }
}

private const val PAGE = 4096L
private const val LEAST_DEPTH = 64L shl 10
private const val LARGEST_DEPTH = 1L shl 30
private const val MOST_STRIPES = 16
