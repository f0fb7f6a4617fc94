package dev.cairn

import dev.cairn.concentrate.Concentrators
import dev.cairn.grid.Shape
import dev.cairn.item.CellBlock
import dev.cairn.options.CheckpointOptions
import dev.cairn.output.CellOrigin
import dev.cairn.output.Declaration
import dev.cairn.output.OutputPlan
import dev.cairn.output.cellsOf
import dev.cairn.output.inFiles
import dev.cairn.output.kindOf
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT
import dev.cairn.redistribution.Cells
import dev.cairn.sion.netcdf.Attribute
import dev.cairn.sion.netcdf.NetcdfFormat
import dev.cairn.sion.netcdf.NetcdfType
import dev.cairn.sion.netcdf.Values
import dev.cairn.state.ElementType
import dev.cairn.state.ThrowingFunction
import java.nio.file.Path
import java.util.concurrent.Callable

/**
 * Declares what a NetCDF file holds, the same on all ranks. Variables have a part in each record, apart from
 * [constants][constant]; the records are counted by the dimension [records].
 *
 * A variable of a global array has a name for each dimension of the array; by default the last of z, y and x. If another variable has a
 * dimension of that name and of another length, it is `x_name`.
 *
 * Valid only during the call to which it is passed, on the thread of its rank.
 */
@StateDsl
public class NetcdfBuilder internal constructor(private val ranks: Communicator) {
    /** The name of the dimension that counts the records. */
    public var records: String = "time"

    /** The variant of the file; by default the oldest one that has all types and room. */
    public var format: NetcdfFormat? = null

    /** The ranks that write for all. */
    public var concentrators: Concentrators = Concentrators.perHost(1)

    /** How many bytes each rank keeps in memory, on average, before an append writes what waits. At least 1. */
    public var memory: Long = 16L shl 20

    /**
     * A directory on a disk of each host, in which what waits is kept in logs. Its last part is made if it is missing. By default
     * it waits in memory. The setting `stage` overrides it.
     */
    public var stage: Path? = null

    /**
     * How many bytes each rank keeps in [stage], on average, before an append writes what waits. At least 1. The setting `stage-room`
     * overrides it.
     */
    public var room: Long = 1L shl 30

    private val declaration = Declaration()

    internal fun plan(options: CheckpointOptions): OutputPlan {
        require(memory >= 1) { "an output needs memory for 1 byte at least, not for $memory" }
        require(room >= 1) { "an output needs room for 1 byte at least, not for $room" }
        concentrators.requireFit(ranks.size)
        return declaration.plan(
            records,
            format,
            concentrators,
            memory,
            options.stageOr(stage),
            options.stageRoomOr(room),
        )
    }

    /** A text attribute of the whole file. */
    public fun attribute(name: String, text: String) {
        declaration.attributes += Attribute.of(name, text)
    }

    /** A numeric attribute of the whole file. */
    public fun attribute(name: String, values: Values) {
        declaration.attributes += Attribute.of(name, values)
    }

    /**
     * The cells of [field], as they are at each append.
     *
     * @param type in the file
     */
    @JvmOverloads
    public fun variable(
        field: DoubleField,
        name: String,
        units: String? = null,
        dimensions: List<String>? = null,
        type: NetcdfType = NetcdfType.DOUBLE,
    ): NetcdfBuilder.Variable {
        val origin =
            CellOrigin.Appended(ElementType.DOUBLE) {
                listOf(CellBlock(field.box, field.within, Cells.of(field.data)))
            }
        return declare(name, type, field.shape, dimensions, units, origin)
    }

    /** The cells of [field], as they are at each append; as the other [variable]. */
    @JvmOverloads
    public fun <A : Any> variable(
        field: Field<A>,
        name: String,
        units: String? = null,
        dimensions: List<String>? = null,
        type: NetcdfType = field.kind.type.inFiles,
    ): NetcdfBuilder.Variable {
        val kind = field.kind
        val origin =
            CellOrigin.Appended(kind.type) {
                field.blocks.map { CellBlock(it.box, it.within, kind.cells(it.cells)) }
            }
        return declare(name, type, field.shape, dimensions, units, origin)
    }

    /**
     * Cells of a global array that the program keeps in arrays of its own.
     *
     * @param element the type of the program's arrays
     * @param blocks lists the blocks of this rank, at each append
     */
    @JvmOverloads
    public fun variable(
        name: String,
        shape: Shape,
        element: ElementType,
        units: String? = null,
        dimensions: List<String>? = null,
        type: NetcdfType = element.inFiles,
        blocks: Declaring<Field.Builder>,
    ): NetcdfBuilder.Variable {
        val origin =
            CellOrigin.Appended(element) {
                Field.Builder("variable", name, shape, element).listing(blocks).let { it.blocksOf(it.coverage) }
            }
        return declare(name, type, shape, dimensions, units, origin)
    }

    /**
     * Variables that have a value of each row of a table, at the index that is the row's [id]. All ranks together have each id from 0 to
     * [count] - 1 once, at every append, and rows may move between ranks.
     *
     * @param dimension the name of the variables' dimension
     * @param rows returns the rows that this rank has at an append
     */
    public fun <R> table(
        dimension: String,
        count: Long,
        rows: Callable<List<R>>,
        id: ThrowingFunction<R, Long>,
        variables: Declaring<NetcdfBuilder.Table<R>>,
    ) {
        variables.on(NetcdfBuilder.Table(this, dimension, count, rows, id))
    }

    /** A number of each record: that of rank 0 at an append. */
    @JvmOverloads
    public fun variable(
        name: String,
        units: String? = null,
        type: NetcdfType = NetcdfType.DOUBLE,
        value: Callable<Double>,
    ): NetcdfBuilder.Variable {
        val origin =
            CellOrigin.Appended(ElementType.DOUBLE) {
                if (ranks.rank == ROOT) listOf(cell(value.call())) else emptyList()
            }
        return declare(name, type, null, null, units, origin)
    }

    /** A variable that gets only single puts. A cell that no rank puts has the fill value. */
    @JvmOverloads
    public fun variable(
        name: String,
        type: NetcdfType,
        shape: Shape,
        units: String? = null,
        dimensions: List<String>? = null,
    ): NetcdfBuilder.Variable = declare(name, type, shape, dimensions, units, CellOrigin.Puts)

    /**
     * A variable without records that never changes, such as the places of cells: `constant("x", places)` gives the dimension `x` its
     * coordinates. The values of rank 0 are written when the file is made.
     *
     * @param values a primitive array, such as a `DoubleArray`, in row-major order
     */
    @JvmOverloads
    public fun constant(
        name: String,
        values: Any,
        units: String? = null,
        dimensions: List<String> = listOf(name),
        shape: Shape? = null,
    ): NetcdfBuilder.Variable {
        val kind = kindOf(name, values)
        val count = kind.size(values).toLong()
        val cells = shape ?: Shape.of(count)
        require(count == cells.cellCount() && count > 0) {
            "the constant '$name' has the shape $cells, but $count values. Give as many as it has cells, and at least one"
        }
        val block = CellBlock(cells.box(), cells.box(), kind.cells(values))
        return declare(name, kind.type.inFiles, cells, dimensions, units, CellOrigin.Constant(kind.type, block))
    }

    internal fun declare(
        name: String,
        type: NetcdfType,
        shape: Shape?,
        dimensions: List<String>?,
        units: String?,
        origin: CellOrigin,
    ): NetcdfBuilder.Variable {
        val declared = NetcdfBuilder.Variable()
        declaration.add(name, type, shape, dimensions, declared.attributes, origin)
        return if (units == null) declared else declared.attribute("units", units)
    }

    private fun cell(value: Double) = Shape.of(1).box().let { CellBlock(it, it, Cells.of(doubleArrayOf(value))) }

    /**
     * Declares variables that have a value of each row of a table, in the order of the rows' ids; see [NetcdfBuilder.table].
     * Valid only during that call.
     */
    @StateDsl
    public class Table<R> internal constructor(
        private val netcdf: NetcdfBuilder,
        private val dimension: String,
        private val count: Long,
        private val rows: Callable<List<R>>,
        private val id: ThrowingFunction<R, Long>,
    ) {
        /** In each record, the [value] of each row at an append. */
        @JvmOverloads
        public fun variable(
            name: String,
            units: String? = null,
            type: NetcdfType = NetcdfType.DOUBLE,
            value: ThrowingFunction<R, Double>,
        ): NetcdfBuilder.Variable {
            val origin =
                CellOrigin.Appended(ElementType.DOUBLE) {
                    rows.call().cellsOf(dimension, count, id::apply, value::apply)
                }
            return netcdf.declare(name, type, Shape.of(count), listOf(dimension), units, origin)
        }
    }

    /** The attributes of a variable of a NetCDF file. Used on the thread of the rank that declares the file, before that returns. */
    public class Variable internal constructor() {
        internal val attributes = mutableListOf<Attribute>()

        public fun attribute(name: String, text: String): NetcdfBuilder.Variable =
            apply { attributes += Attribute.of(name, text) }

        public fun attribute(name: String, values: Values): NetcdfBuilder.Variable =
            apply { attributes += Attribute.of(name, values) }

        /** The value of cells that no rank puts: one number of the variable's type. */
        public fun fill(value: Values): NetcdfBuilder.Variable = attribute(Attribute.FILL_VALUE, value)
    }
}
