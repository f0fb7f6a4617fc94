package dev.cairn.concentrate

import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.redistribution.Cells
import dev.cairn.sion.stripe.PageTable
import dev.cairn.sion.stripe.Striping
import dev.cairn.sion.stripe.SubFileLayout
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import kotlin.random.Random

/**
 * Arrays one behind the other in a logical file, which has room that belongs to none of them, and how the file is cut: all drawn
 * from [random]. Each byte of the file has a value of its own place.
 */
internal class StripedWorld(private val random: Random) {
    private val depth = 8L * random.nextInt(1, 200)
    private val subFileCount = random.nextInt(1, 8)
    private val windowDepth = if (random.nextBoolean()) depth * random.nextInt(1, 4) else 8L * random.nextInt(3, 300)
    private val sliceDepth = 8L * random.nextInt(2, 300)
    val arrays: List<StoredArray> = drawArrays()
    val length: Long get() = arrays.last().end
    val layout: SubFileLayout = if (random.nextBoolean()) Striping.of(depth, subFileCount) else drawPages()

    /** Pages in any sub-files, in any order. */
    private fun drawPages(): PageTable {
        val slots = LongArray(subFileCount)
        val runs =
            (0..length / depth).shuffled(random).map { page ->
                val subFile = random.nextInt(subFileCount)
                PageTable.Run(page, 1, subFile, slots[subFile]++)
            }
        return PageTable.of(depth, subFileCount, runs.sortedBy { it.page() })
    }

    private fun drawArrays(): List<StoredArray> {
        var next = 8L * random.nextInt(0, 100)
        return List(random.nextInt(1, 4)) {
            val cellSize = listOf(1, 2, 4, 8).random(random)
            val array = StoredArray(drawShape(), next, cellSize)
            next = (array.end + 7) / 8 * 8 + 8L * random.nextInt(0, 100)
            array
        }
    }

    private fun drawShape(): Shape {
        val dimensions = random.nextInt(1, 7)
        val largest = listOf(2000, 60, 16, 8, 5, 4)[dimensions - 1]
        return Shape.of(*LongArray(dimensions) { random.nextLong(1, largest + 1L) })
    }

    fun set(hosts: List<String>): ServedFile =
        ServedFile(layout, drawConcentrators(hosts.size).among(hosts), windowDepth, sliceDepth = sliceDepth)

    private fun drawConcentrators(rankCount: Int): Concentrators =
        when (random.nextInt(4)) {
            0 -> {
                Concentrators.perHost(random.nextInt(1, 3))
            }

            1 -> {
                Concentrators.everyNth(random.nextInt(1, 4))
            }

            2 -> {
                Concentrators.total(random.nextInt(1, 9))
            }

            else -> {
                Concentrators.ranks(
                    *(0 until rankCount).shuffled(random).take(random.nextInt(1, rankCount + 1)).toIntArray(),
                )
            }
        }

    /** The boxes of [rankCount] ranks in each array; each cell has one owner. */
    fun deal(rankCount: Int): List<List<List<Box>>> = arrays.map { array -> dealBoxes(array.shape, rankCount) }

    private fun dealBoxes(shape: Shape, rankCount: Int): List<List<Box>> {
        val boxes =
            if (random.nextBoolean()) {
                Decomposition.rows(shape, rankCount).boxes().flatten()
            } else {
                Decomposition.blocks(shape, rankCount).boxes().flatten()
            }
        val owners = boxes.map { random.nextInt(rankCount) }
        return List(rankCount) { rank -> boxes.filterIndexed { index, _ -> owners[index] == rank } }
    }

    /** What the sub-files hold if all cells of all arrays are written and nothing else. */
    fun expected(): List<ByteArray> {
        val files = MemoryFiles(layout, length).contents
        for (array in arrays) {
            layout.forEachRun(array.offset, array.end - array.offset) { subFile, local, offset, length ->
                for (byte in 0 until length) files[subFile][(local + byte).toInt()] = valueAt(offset + byte)
            }
        }
        return files
    }
}

/** An array of [shape] whose cells have [cellSize] bytes, at [offset] of a logical file. */
internal class StoredArray(val shape: Shape, val offset: Long, private val cellSize: Int) {
    val end: Long = offset + shape.cellCount() * cellSize

    /** The memory of a rank that owns [box]. */
    fun memory(box: Box): ByteBuffer = ByteBuffer.allocate((box.cellCount() * cellSize).toInt()).order(LITTLE_ENDIAN)

    /** As [memory], with the values of its cells. */
    fun values(box: Box): ByteBuffer {
        val memory = memory(box)
        for (index in 0 until box.cellCount()) {
            val cell = offset + shape.index(*box.cell(index)) * cellSize
            repeat(cellSize) { memory.put(valueAt(cell + it)) }
        }
        return memory.flip()
    }

    fun request(box: Box, memory: ByteBuffer): Request = ArrayRequest(shape, offset, box, Cells.of(memory, cellSize))
}

private fun valueAt(offset: Long): Byte = (offset * 0x9E3779B97F4A7C15uL.toLong() ushr 56).toByte()
