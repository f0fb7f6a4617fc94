package dev.cairn

import dev.cairn.cells.Cells
import dev.cairn.cells.Image
import dev.cairn.cells.Runs
import dev.cairn.comm.Communicator
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import java.nio.ByteBuffer

/**
 * A global array of doubles, of which this rank has one block and a halo around it. Cells are named by their global
 * indices. The halo reaches beyond the edges of the array, too, where cells keep their first value; they are neither saved
 * nor restored.
 *
 * It belongs to one rank. For very hot loops there is [data] itself.
 *
 * @property box the cells that this rank owns; it may be empty
 * @property within the cells that [data] holds, row by row: the box and its halo
 */
public class DoubleField internal constructor(
    private val ranks: Communicator,
    private val decomposition: Decomposition,
    private val halo: Int,
    initial: (LongArray) -> Double,
) {
    public val shape: Shape get() = decomposition.shape()
    public val box: Box = boxOf(ranks.rank)
    public val within: Box = box.grown(halo)

    /** The cells of [within] in row-major order. */
    public val data: DoubleArray =
        DoubleArray(Math.toIntExact(within.cellCount())) { initial(within.cell(it.toLong())) }

    // Numbers that a loop finds without a look into the box.
    private val firstRow = within.start(0)
    private val firstColumn = within.start(within.dimensions() - 1)
    private val rowCells = within.extent(within.dimensions() - 1)

    @PublishedApi
    internal var scratch: DoubleArray = data.copyOf()

    private val neighbours = if (halo == 0) emptyList() else neighbours()

    private fun boxOf(rank: Int) =
        decomposition.boxes(rank).firstOrNull() ?: Box.of(LongArray(shape.dimensions()), LongArray(shape.dimensions()))

    public operator fun get(i: Long): Double = data[(i - firstRow).toInt()]

    public operator fun get(
        i: Long,
        j: Long,
    ): Double = data[index(i, j)]

    public operator fun set(
        i: Long,
        value: Double,
    ) {
        data[(i - firstRow).toInt()] = value
    }

    public operator fun set(
        i: Long,
        j: Long,
        value: Double,
    ) {
        data[index(i, j)] = value
    }

    /** Gives every cell that this rank owns, of a field of two dimensions, a new value, made of the old values of all. */
    @JvmSynthetic
    public inline fun update(value: (i: Long, j: Long) -> Double) {
        for (i in box.start(0) until box.end(0)) {
            for (j in box.start(1) until box.end(1)) scratch[index(i, j)] = value(i, j)
        }
        adopt()
    }

    /** As the other [update], for Java. */
    public fun update(value: CellValue): Unit = update { i, j -> value.at(i, j) }

    /** Where the cell ([i], [j]) is in [data]. */
    @PublishedApi
    internal fun index(
        i: Long,
        j: Long,
    ): Int = ((i - firstRow) * rowCells + (j - firstColumn)).toInt()

    @PublishedApi
    internal fun adopt() {
        val cells = Runs.of(box, Image.of(within), Image.of(within))
        cells.forEach { here, _, count -> scratch.copyInto(data, here.toInt(), here.toInt(), here.toInt() + count) }
    }

    /** Collective: fetches the cells of the halo from the ranks that own them. */
    public suspend fun exchangeHalo() {
        for (neighbour in neighbours) ranks.send(neighbour.rank, TAG, pack(neighbour.gives))
        for (neighbour in neighbours) unpack(neighbour.wants, ranks.receive(neighbour.rank, TAG))
    }

    /** Another rank, which cells this one gives it, and which it wants from there. */
    private class Neighbour(
        val rank: Int,
        val gives: Box,
        val wants: Box,
    )

    private fun neighbours(): List<Neighbour> =
        (0 until ranks.size)
            .filter { it != ranks.rank }
            .map { other ->
                val its = boxOf(other)
                Neighbour(other, gives = its.grown(halo).intersection(box), wants = within.intersection(its))
            }.filterNot { it.wants.isEmpty || it.gives.isEmpty }

    private fun pack(cells: Box): ByteBuffer =
        ByteBuffer.allocate(Math.toIntExact(cells.cellCount() * Double.SIZE_BYTES)).also {
            Cells.of(data).copyTo(it, Runs.of(cells, Image.of(within), Image.of(cells)))
        }

    private fun unpack(
        cells: Box,
        bytes: ByteBuffer,
    ) = Cells.of(data).copyFrom(bytes, Runs.of(cells, Image.of(within), Image.of(cells)))

    private companion object {
        const val TAG = 17
    }
}

/** An empty box has no halo. */
internal fun Box.grown(halo: Int): Box =
    if (isEmpty) {
        this
    } else {
        Box.of(LongArray(dimensions()) { start(it) - halo }, LongArray(dimensions()) { extent(it) + 2L * halo })
    }
