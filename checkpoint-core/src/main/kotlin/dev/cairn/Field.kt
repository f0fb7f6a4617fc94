package dev.cairn

import dev.cairn.checkpoint.TableOfContents
import dev.cairn.concentrate.Concentrators
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.requireDeclared
import dev.cairn.grid.Box
import dev.cairn.grid.Halo
import dev.cairn.grid.Shape
import dev.cairn.item.CellBlock
import dev.cairn.item.Column
import dev.cairn.item.Coverage
import dev.cairn.item.invalid
import dev.cairn.ranks.Communicator
import dev.cairn.redistribution.Cells
import dev.cairn.redistribution.Distribution
import dev.cairn.redistribution.HaloPlan
import dev.cairn.redistribution.Holders
import dev.cairn.state.ArrayKind
import dev.cairn.state.ElementType
import dev.cairn.state.ThrowingFunction
import java.lang.reflect.Array
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.util.concurrent.Callable

/**
 * A global array of [shape], of which this rank owns any number of [blocks]. It belongs to one rank.
 *
 * @param A the primitive arrays in which the cells are
 */
public class Field<A : Any> internal constructor(
    public val shape: Shape,
    public val blocks: List<Block<A>>,
    internal val kind: ArrayKind<A>,
    private val halo: Halo,
    ranks: Communicator,
) {
    /**
     * The cells of a box, and of a halo around it, which is neither saved nor restored.
     *
     * @property box the cells that this rank owns
     * @property within the cells that [cells] holds, row by row: the box and its halo
     */
    public class Block<A : Any> internal constructor(public val box: Box, public val within: Box, public val cells: A)

    private val wire =
        HaloWire(ranks, "$shape with the halo $halo") { it.haloPlan(shape, halo, blocks.map { block -> block.box }) }

    /**
     * Collective: fetches the cells of the halos from the blocks that own them, on other ranks and on this one. The
     * first time, all ranks exchange the boxes that they own.
     */
    public suspend fun exchangeHalo() {
        if (halo.isNone(shape.dimensions())) return
        wire.exchange(listOf(HaloCells(kind.type, blocks.map { kind.cells(it.cells) })))
    }

    /**
     * Lists the blocks of a field that this rank owns, and their arrays. Valid only during the call to which it is passed, on the thread of
     * its rank.
     *
     * @property name of the field, or of the variable, as its [kind] says
     */
    @StateDsl
    public class Builder internal constructor(
        kind: String,
        private val name: String,
        private val shape: Shape,
        private val type: ElementType,
    ) {
        private val title = "$kind '$name'"
        private val blocks = mutableListOf<CellBlock>()

        internal var coverage = Coverage.WHOLE
            private set

        internal var concentrators: Concentrators? = null
            private set

        /** The listed blocks of a field that was declared with [declared]. */
        internal fun blocksOf(declared: Coverage): List<CellBlock> {
            requireDeclared(coverage == declared, name) {
                val isWhole = coverage == Coverage.WHOLE
                val (before, now) = if (isWhole) "sparse" to "without sparse()" else "whole" to "with sparse()"
                "$title was declared $before, but now its blocks are given $now: declare sparse() every time, or never"
            }
            return blocks
        }

        /**
         * The blocks of all ranks need not hold all cells, as those of one level of an adaptive mesh do not. A cell that no
         * rank has is not stored, and a restore that asks for it is refused; so is one that does not ask for all stored
         * cells.
         */
        public fun sparse() {
            coverage = Coverage.SPARSE
        }

        /**
         * The ranks that are [concentrators] save the field for all ranks, in large pieces (docs/how-to/many-ranks.md). Not for a field
         * that is [sparse]. The call in the declaration of the field counts.
         */
        @JvmOverloads
        public fun concentrate(concentrators: Concentrators = Concentrators.perHost(1)) {
            this.concentrators = concentrators
        }

        /**
         * The cells of [box], which are in [array] in row-major order. If the array holds more than the box, such as a halo
         * around it, [within] is the box of all its cells; the others are neither saved nor restored.
         *
         * @param array a primitive array, such as a `DoubleArray`
         */
        @JvmOverloads
        public fun block(box: Box, array: Any, within: Box = box) {
            val kind = ArrayKind.ofArrays(array.javaClass) { invalid(name, it) }
            add(box, within, kind.type, kind.size(array), kind.cells(array)) { array }
        }

        /**
         * As the other functions, for an array that the program may replace by another one: [array] returns the one that has the cells
         * whenever the state is saved or restored.
         */
        @JvmOverloads
        public fun block(box: Box, within: Box = box, array: Callable<out Any>) {
            add(box, within, { cellsOf(currentOf(array), within) }) { array.call() }
        }

        private fun currentOf(array: Callable<out Any?>): Any =
            array.call()
                ?: throw invalid(
                    name,
                    "$title: its function should return an array, but returned null. Let it return the one that has " +
                        "the cells.",
                )

        /**
         * As the other functions, for cells in memory of any kind, such as outside the heap: those between the buffer's position
         * and its limit.
         */
        @JvmOverloads
        public fun block(box: Box, bytes: ByteBuffer, within: Box = box) {
            requireDeclared(type.size == 1 || bytes.order() == LITTLE_ENDIAN, name) {
                "$title: cells in bytes are little-endian, but the buffer is not: call order(LITTLE_ENDIAN) first"
            }
            requireDeclared(bytes.remaining() % type.size == 0, name) {
                "$title has cells of ${type.size} bytes, but the buffer has ${bytes.remaining()}"
            }
            add(box, within, type, bytes.remaining() / type.size, Cells.of(bytes, type.size)) { null }
        }

        /** Lets the program list its [blocks]. */
        internal fun listing(blocks: Declaring<Field.Builder>): Field.Builder =
            try {
                blocks.on(this)
            } catch (failure: NullPointerException) {
                throw if (failure.isOfArguments()) noArray(failure) else failure
            }

        /**
         * Kotlin refuses null from Java, but without the name of the field. Exceptions of the program are passed on
         * unchanged.
         */
        private fun NullPointerException.isOfArguments() =
            stackTrace.firstOrNull()?.className == Field.Builder::class.java.name

        private fun noArray(failure: NullPointerException) =
            InvalidDeclaration(
                Details(
                    "$title: a block has null in place of a box or an array. Give only blocks that have both: a rank " +
                        "without cells gives none.",
                    listOf(name),
                    cause = failure,
                ),
            )

        private fun cellsOf(array: Any, within: Box): Cells {
            val kind = array.javaClass.componentType?.let { ArrayKind.of(it) }
            requireDeclared(kind?.type == type && Array.getLength(array).toLong() == within.cellCount(), name) {
                val length = kind?.let { " and length ${Array.getLength(array)}" }.orEmpty()
                "$title: what its function returns for $within should be of type $type[] and length " +
                    "${within.cellCount()}, but is of type ${array.javaClass.typeName}$length: let both stay as they " +
                    "were declared"
            }
            return Column(title, ArrayKind.of(type)).cells(array)
        }

        private fun add(
            box: Box,
            within: Box,
            arrayType: ElementType,
            arraySize: Int,
            cells: Cells,
            held: () -> Any?,
        ) {
            requireDeclared(arrayType == type, name) {
                "$title has cells of type $type, but a block's array is of $arrayType"
            }
            requireDeclared(within.cellCount() == arraySize.toLong(), name) {
                "$title: the array should hold the ${within.cellCount()} cells of $within, but has $arraySize"
            }
            add(box, within, { cells }, held)
        }

        private fun add(box: Box, within: Box, cells: () -> Cells, held: () -> Any?) {
            requireDeclared(shape.box().holds(box), name) { "$title has the shape $shape, but a block of it is $box" }
            requireDeclared(within.holds(box), name) {
                "$title: the array holds $within, which is not all of the block $box"
            }
            blocks += CellBlock(box, within, cells, held)
        }
    }
}

/** Collective: what this rank, which has [boxes], exchanges with the others. */
private suspend fun Communicator.haloPlan(shape: Shape, halo: Halo, boxes: List<Box>): HaloPlan {
    val own = TableOfContents.Entry(KEY, 0, boxes, emptyList())
    val tables = allGather(TableOfContents(0, rank, size, listOf(own)).encode())
    val all = shareInProcess { Distribution.of(tables.map(::boxesIn)) }
    return HaloPlan.of(shape, halo, boxes, rank, Holders.of(all))
}

private fun boxesIn(table: ByteBuffer): List<Box> {
    val entry = TableOfContents.decode(table).entry(KEY)
    return entry?.boxes.orEmpty()
}

private const val KEY = 1

internal fun <A : Any> fieldOf(
    ranks: Communicator,
    type: Class<A>,
    shape: Shape,
    boxes: List<Box>,
    halo: Halo,
    create: ThrowingFunction<Box, A>?,
): Field<A> {
    // Also on a rank without boxes: all ranks are refused, or none is.
    halo.requireFor(shape.dimensions())
    val kind = ArrayKind.ofArrays(type) { InvalidDeclaration(Details(it)) }
    val make = create ?: ThrowingFunction { within -> kind.create(Math.toIntExact(within.cellCount())) }
    val blocks = boxes.map { box -> halo.around(box).let { Field.Block(box, it, make.apply(it)) } }
    return Field(shape, blocks, kind, halo, ranks)
}

/** Whether all cells of the [other] box are in this one, which has as many dimensions. */
private fun Box.holds(other: Box) = other.isEmpty || (dimensions() == other.dimensions() && contains(other))
