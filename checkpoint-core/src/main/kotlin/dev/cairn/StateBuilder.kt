package dev.cairn

import dev.cairn.cells.Cells
import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.state.Codec
import dev.cairn.state.ElementType
import dev.cairn.state.FieldItem
import dev.cairn.state.PerRankItem
import dev.cairn.state.PerRankRule
import dev.cairn.state.ReplicatedItem
import dev.cairn.state.Slot
import dev.cairn.state.StateItem
import dev.cairn.state.codecOf
import java.util.function.Consumer
import java.util.function.Supplier

/** Keeps the scopes of the state's declaration apart. */
@DslMarker
public annotation class StateDsl

/**
 * Declares the state of one rank. All ranks declare the same items in the same order, each with its own arrays and
 * values. The program keeps its arrays and objects; saving reads them, restoring writes them.
 *
 * An item is known by its [name][field] in every checkpoint. Renamed, it lists the names that it had before.
 */
@StateDsl
public class StateBuilder internal constructor() {
    internal val items = mutableListOf<StateItem>()
    internal val removed = mutableSetOf<String>()

    /**
     * A global array of [shape], of which this rank owns the blocks that [blocks] names: several, one or none. The blocks
     * of all ranks tile the shape. Comes back on any number of ranks.
     */
    @JvmSynthetic
    public fun field(
        name: String,
        shape: Shape,
        type: ElementType,
        formerly: List<String> = emptyList(),
        blocks: FieldBuilder.() -> Unit,
    ) {
        val builder = FieldBuilder(name, shape, type).apply(blocks)
        add(FieldItem(name, nextKey(), formerly, type, shape, builder.blocks))
    }

    /** The same for Java. */
    @JvmOverloads
    public fun field(
        name: String,
        shape: Shape,
        type: ElementType,
        blocks: Consumer<FieldBuilder>,
        formerly: List<String> = emptyList(),
    ): Unit = field(name, shape, type, formerly) { blocks.accept(this) }

    /** A value that is the same on every rank. Comes back on any number of ranks. */
    @JvmOverloads
    public fun <T> replicated(
        name: String,
        codec: Codec<T>,
        get: Supplier<T>,
        set: Consumer<T>,
        formerly: List<String> = emptyList(),
    ): Unit = add(ReplicatedItem(name, nextKey(), formerly, Slot(codec, get::get, set::accept)))

    /** A value that is the same on every rank, of a `@Serializable` type. */
    @JvmSynthetic
    public inline fun <reified T> replicated(
        name: String,
        noinline get: () -> T,
        noinline set: (T) -> Unit,
        formerly: List<String> = emptyList(),
    ): Unit = replicated(name, codecOf<T>(), get, set, formerly)

    /** A value of each rank's own. [rule] says what becomes of it on another number of ranks. */
    @JvmOverloads
    public fun <T> perRank(
        name: String,
        codec: Codec<T>,
        get: Supplier<T>,
        set: Consumer<T>,
        rule: PerRankRule<T> = PerRankRule.Refuse(),
        formerly: List<String> = emptyList(),
    ): Unit = add(PerRankItem(name, nextKey(), formerly, Slot(codec, get::get, set::accept), rule))

    /** A value of each rank's own, of a `@Serializable` type. */
    @JvmSynthetic
    public inline fun <reified T> perRank(
        name: String,
        noinline get: () -> T,
        noinline set: (T) -> Unit,
        rule: PerRankRule<T> = PerRankRule.Refuse(),
        formerly: List<String> = emptyList(),
    ): Unit = perRank(name, codecOf<T>(), get, set, rule, formerly)

    /** Older checkpoints may hold an item of this name, which this program does not want any more. */
    public fun removed(name: String) {
        removed += name
    }

    private fun nextKey() = items.size + 1

    private fun add(item: StateItem) {
        val names = items.flatMap { it.formerNames + it.name }.toSet()
        val twice = (item.formerNames + item.name).firstOrNull { it in names }
        require(twice == null) { "the name '$twice' is declared twice: give each item a name of its own" }
        items += item
    }
}

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
