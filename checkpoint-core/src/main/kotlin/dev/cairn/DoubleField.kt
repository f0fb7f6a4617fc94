package dev.cairn

import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Halo
import dev.cairn.grid.Shape
import dev.cairn.ranks.Communicator
import dev.cairn.redistribution.Image
import dev.cairn.redistribution.Runs
import dev.cairn.state.ThrowingFunction
import java.util.function.LongToDoubleFunction

/**
 * A global array of doubles, of which this rank has one block and a halo around it. Cells are named by their global
 * indices; a cell that is neither in the block nor in its halo is refused. Indices are Ints or Longs; the last index of the
 * type Long counts modulo 2^32. The halo reaches beyond the edges of the array, too, where cells keep their first value unless the array is periodic;
 * they are neither saved nor restored.
 *
 * It belongs to one rank. Arrays of more than 3 dimensions, and very hot loops, use [data] itself.
 *
 * @property box the cells that this rank owns; it may be empty
 * @property within the cells that [data] holds, row by row: the box and its halo
 */
public class DoubleField internal constructor(
    private val ranks: Communicator,
    private val decomposition: Decomposition,
    private val halo: Halo,
    initial: ThrowingFunction<LongArray, Double>,
) {
    private val exchange = ranks.haloExchange(decomposition, halo)

    public val shape: Shape get() = decomposition.shape()
    public val box: Box = exchange.box
    public val within: Box = exchange.within

    /** The cells of [within] in row-major order. */
    public val data: DoubleArray =
        DoubleArray(Math.toIntExact(within.cellCount())) { initial.apply(within.cell(it.toLong())) }

    // Numbers that a loop reads without access to the box. The extents for another number of dimensions are 0, so that
    // one comparison finds a cell outside and a wrong number of indices as well.
    private val dimensions = within.dimensions()
    private val start0 = within.start(0)
    private val start1 = if (dimensions > 1) within.start(1) else 0
    private val start2 = if (dimensions > 2) within.start(2) else 0
    private val lineCells = extentOf(0, of = 1).toInt()
    private val planeRows = extentOf(0, of = 2)
    private val rowCells = extentOf(1, of = 2).toInt()
    private val spacePlanes = extentOf(0, of = 3)
    private val spaceRows = extentOf(1, of = 3)
    private val spaceCells = extentOf(2, of = 3).toInt()

    // The same for indices of the type Int, which could not name all cells of a box beyond 2^31: there the extents are 0, and
    // cells are found by their Long indices.
    private val first0 = start0.toInt()
    private val first1 = start1.toInt()
    private val first2 = start2.toInt()
    private val intLineCells = if (isWithinInts()) lineCells else 0
    private val intPlaneRows = if (isWithinInts()) planeRows.toInt() else 0
    private val intRowCells = if (isWithinInts()) rowCells else 0
    private val intSpacePlanes = if (isWithinInts()) spacePlanes.toInt() else 0
    private val intSpaceRows = if (isWithinInts()) spaceRows.toInt() else 0
    private val intSpaceCells = if (isWithinInts()) spaceCells else 0

    private fun extentOf(dimension: Int, of: Int): Long = if (dimensions == of) within.extent(dimension) else 0

    private fun isWithinInts(): Boolean =
        (0 until dimensions).all { within.start(it) >= Int.MIN_VALUE && within.end(it) <= Int.MAX_VALUE }

    @PublishedApi
    internal var scratch: DoubleArray = data.copyOf()

    public operator fun get(i: Long): Double = data[index(i)]

    public operator fun get(i: Long, j: Long): Double = data[index(i, j)]

    public operator fun get(i: Long, j: Long, k: Long): Double = data[index(i, j, k)]

    public operator fun set(i: Long, value: Double) {
        data[index(i)] = value
    }

    public operator fun set(i: Long, j: Long, value: Double) {
        data[index(i, j)] = value
    }

    public operator fun set(i: Long, j: Long, k: Long, value: Double) {
        data[index(i, j, k)] = value
    }

    public operator fun get(i: Int): Double = data[index(i)]

    public operator fun get(i: Int, j: Int): Double = data[index(i, j)]

    public operator fun get(i: Int, j: Int, k: Int): Double = data[index(i, j, k)]

    public operator fun set(i: Int, value: Double) {
        data[index(i)] = value
    }

    public operator fun set(i: Int, j: Int, value: Double) {
        data[index(i, j)] = value
    }

    public operator fun set(i: Int, j: Int, k: Int, value: Double) {
        data[index(i, j, k)] = value
    }

    /**
     * Gives every cell that this rank owns, of a field of one dimension, a new value, computed from the old values of
     * all.
     */
    @JvmSynthetic
    public inline fun update(value: (i: Long) -> Double) {
        requireDimensions(1)
        for (i in box.start(0) until box.end(0)) scratch[index(i)] = value(i)
        adopt()
    }

    /**
     * Gives every cell that this rank owns, of a field of two dimensions, a new value, computed from the old values of
     * all.
     */
    @JvmSynthetic
    public inline fun update(value: (i: Long, j: Long) -> Double) {
        requireDimensions(2)
        for (i in box.start(0) until box.end(0)) {
            for (j in box.start(1) until box.end(1)) scratch[index(i, j)] = value(i, j)
        }
        adopt()
    }

    /**
     * Gives every cell that this rank owns, of a field of three dimensions, a new value, computed from the old values
     * of all.
     */
    @JvmSynthetic
    public inline fun update(value: (i: Long, j: Long, k: Long) -> Double) {
        requireDimensions(3)
        for (i in box.start(0) until box.end(0)) {
            for (j in box.start(1) until box.end(1)) {
                for (k in box.start(2) until box.end(2)) scratch[index(i, j, k)] = value(i, j, k)
            }
        }
        adopt()
    }

    /** As the other [update], for Java. */
    public fun update(value: LongToDoubleFunction): Unit = update { i -> value.applyAsDouble(i) }

    /** As the other [update], for Java. */
    public fun update(value: CellValue): Unit = update { i, j -> value.at(i, j) }

    /** As the other [update], for Java. */
    public fun update(value: CellValue.InSpace): Unit = update { i, j, k -> value.at(i, j, k) }

    // Loops over a row are as fast as those over an array only if the place in the row is compared as an int: then a
    // compiler moves the comparison out of the loop. So the last index counts modulo 2^32.

    /** Where the cell [i] is in [data]. */
    @PublishedApi
    internal fun index(i: Long): Int {
        val cell = (i - start0).toInt()
        if (isOutside(cell, lineCells)) throw outside(i)
        return cell
    }

    /** Where the cell ([i], [j]) is in [data]. */
    @PublishedApi
    internal fun index(i: Long, j: Long): Int {
        val row = i - start0
        val cell = (j - start1).toInt()
        if (row < 0 || row >= planeRows || isOutside(cell, rowCells)) throw outside(i, j)
        return (row * rowCells + (j - start1)).toInt()
    }

    /** Where the cell ([i], [j], [k]) is in [data]. */
    @PublishedApi
    internal fun index(i: Long, j: Long, k: Long): Int {
        val plane = i - start0
        val row = j - start1
        val cell = (k - start2).toInt()
        if (plane < 0 || plane >= spacePlanes) throw outside(i, j, k)
        if (row < 0 || row >= spaceRows || isOutside(cell, spaceCells)) throw outside(i, j, k)
        return ((plane * spaceRows + row) * spaceCells + (k - start2)).toInt()
    }

    /** Where the cell [i] is in [data]. */
    private fun index(i: Int): Int {
        val cell = i - first0
        return if (isOutside(cell, intLineCells)) exactIndex(i.toLong()) else cell
    }

    /** Where the cell ([i], [j]) is in [data]. */
    private fun index(i: Int, j: Int): Int {
        val row = i - first0
        val cell = j - first1
        if (isOutside(row, intPlaneRows) || isOutside(cell, intRowCells)) return exactIndex(i.toLong(), j.toLong())
        return row * intRowCells + cell
    }

    /** Where the cell ([i], [j], [k]) is in [data]. */
    private fun index(i: Int, j: Int, k: Int): Int {
        val plane = i - first0
        val row = j - first1
        val cell = k - first2
        if (isOutside(plane, intSpacePlanes)) return exactIndex(i.toLong(), j.toLong(), k.toLong())
        if (isOutside(row, intSpaceRows) || isOutside(cell, intSpaceCells)) {
            return exactIndex(i.toLong(), j.toLong(), k.toLong())
        }
        return (plane * intSpaceRows + row) * intSpaceCells + cell
    }

    /** Where the [cell] is in [data], however large its indices are. */
    private fun exactIndex(vararg cell: Long): Int {
        if (cell.size != dimensions || !within.contains(*cell)) throw outside(*cell)
        return within.index(*cell).toInt()
    }

    /** As one unsigned comparison, which compiles to a faster loop than two. */
    private fun isOutside(cell: Int, extent: Int): Boolean = Integer.compareUnsigned(cell, extent) >= 0

    private fun outside(vararg cell: Long): Throwable {
        requireDimensions(cell.size)
        val where = cell.joinToString(", ", "(", ")")
        return IndexOutOfBoundsException(
            "the cell $where is not among those of rank ${ranks.rank}, which are $within: its block $box and a halo of $halo",
        )
    }

    @PublishedApi
    internal fun requireDimensions(count: Int) {
        require(dimensions == count) {
            "a cell of this field of the shape $shape has $dimensions ${if (dimensions == 1) "index" else "indices"}, not $count"
        }
    }

    @PublishedApi
    internal fun adopt() {
        val cells = Runs.of(box, Image.of(within), Image.of(within))
        cells.forEach { here, _, count -> scratch.copyInto(data, here.toInt(), here.toInt(), here.toInt() + count) }
    }

    /** Collective: fetches the cells of the halo from the ranks that own them. */
    public suspend fun exchangeHalo() {
        if (halo.isNone(dimensions)) return
        exchange.exchange(data)
    }
}

/** Whether there is nothing to exchange; it is the same on all ranks. */
internal fun Halo.isNone(dimensions: Int): Boolean = (0 until dimensions).all { width(it) == 0 }
