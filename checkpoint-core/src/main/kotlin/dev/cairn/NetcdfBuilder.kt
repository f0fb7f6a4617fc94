package dev.cairn

import dev.cairn.cells.Cells
import dev.cairn.comm.Communicator
import dev.cairn.comm.ROOT
import dev.cairn.concentrate.Concentrators
import dev.cairn.grid.Box
import dev.cairn.grid.Shape
import dev.cairn.item.CellBlock
import dev.cairn.netcdf.CellSource
import dev.cairn.netcdf.FileVariable
import dev.cairn.netcdf.OutputPlan
import dev.cairn.netcdf.inFiles
import dev.cairn.sion.netcdf.Attribute
import dev.cairn.sion.netcdf.Dimension
import dev.cairn.sion.netcdf.NetcdfFormat
import dev.cairn.sion.netcdf.NetcdfLayout
import dev.cairn.sion.netcdf.NetcdfSpec
import dev.cairn.sion.netcdf.NetcdfType
import dev.cairn.sion.netcdf.Values
import dev.cairn.sion.netcdf.Variable
import dev.cairn.state.ElementType
import java.util.function.DoubleSupplier

/**
 * Declares what a NetCDF file holds, the same on all ranks. Variables have a part in each record; the records are counted by the
 * dimension [records].
 */
@StateDsl
public class NetcdfBuilder internal constructor(
    private val ranks: Communicator,
) {
    /** The name of the dimension that counts the records. */
    public var records: String = "time"

    /** The variant of the file; by default the oldest one that has all types and room for all records. */
    public var format: NetcdfFormat? = null

    /** The ranks that write for all. */
    public var concentrators: Concentrators = Concentrators.perHost(1)

    private val attributes = mutableListOf<Attribute>()
    private val dimensions = mutableListOf<Dimension>()
    private val variables = mutableListOf<Declared>()

    /** What is said about the whole file. */
    public fun attribute(
        name: String,
        text: String,
    ) {
        attributes += Attribute.of(name, text)
    }

    /** Numbers that are said about the whole file. */
    public fun attribute(
        name: String,
        values: Values,
    ) {
        attributes += Attribute.of(name, values)
    }

    /**
     * The cells of [field], as they are at each append.
     *
     * @param dimensions a name for each dimension of the field; by default the last of z, y, x, and `x_name` for another length
     * @param type in the file
     */
    @JvmOverloads
    public fun variable(
        field: DoubleField,
        name: String,
        units: String? = null,
        dimensions: List<String>? = null,
        type: NetcdfType = NetcdfType.DOUBLE,
    ): NetcdfVariable =
        declare(name, field.shape, dimensions, type, units) {
            source(ElementType.DOUBLE) { listOf(CellBlock(field.box, field.within, Cells.of(field.data))) }
        }

    /** The cells of [field], as they are at each append; as the other [variable]. */
    @JvmOverloads
    public fun <A : Any> variable(
        field: Field<A>,
        name: String,
        units: String? = null,
        dimensions: List<String>? = null,
        type: NetcdfType = field.kind.type.inFiles,
    ): NetcdfVariable =
        declare(name, field.shape, dimensions, type, units) {
            source(field.kind.type) {
                field.blocks.map { CellBlock(it.box, it.within, field.kind.cells(it.cells)) }
            }
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
        blocks: FieldBuilder.() -> Unit,
    ): NetcdfVariable =
        declare(name, shape, dimensions, type, units) {
            source(element) {
                val list = FieldBuilder(name, shape, element).apply(blocks)
                list.blocksOf(list.coverage)
            }
        }

    /** A number of each record, which is that of rank 0 at an append. */
    @JvmOverloads
    public fun variable(
        name: String,
        units: String? = null,
        type: NetcdfType = NetcdfType.DOUBLE,
        value: DoubleSupplier,
    ): NetcdfVariable =
        declare(name, null, emptyList(), type, units) {
            source(ElementType.DOUBLE) {
                if (ranks.rank == ROOT) listOf(ONE_CELL.blockOf(value.asDouble)) else emptyList()
            }
        }

    /** A variable that gets only single puts. A cell that none puts has the fill value. */
    @JvmOverloads
    public fun variable(
        name: String,
        type: NetcdfType,
        shape: Shape,
        units: String? = null,
        dimensions: List<String>? = null,
    ): NetcdfVariable = declare(name, shape, dimensions, type, units) { null }

    private fun declare(
        name: String,
        shape: Shape?,
        dimensionNames: List<String>?,
        type: NetcdfType,
        units: String?,
        source: FileVariable.() -> CellSource?,
    ): NetcdfVariable {
        val extents = if (shape == null) emptyList() else List(shape.dimensions()) { shape.extent(it) }
        val own =
            if (dimensionNames == null) {
                LAST_NAMES.takeLast(extents.size).zip(extents) { usual, length -> usualDimension(name, usual, length) }
            } else {
                dimensionNames.zip(extents) { dimension, length -> dimension(name, dimension, length) }
            }
        require(own.size == extents.size && (dimensionNames == null || own.size == dimensionNames.size)) {
            "variable '$name' has ${extents.size} dimensions beside the records. Give the names of as many"
        }
        val declared = NetcdfVariable()
        units?.let { declared.attribute("units", it) }
        variables += Declared(name, type, own, declared, source)
        return declared
    }

    private fun usualDimension(
        variable: String,
        usual: String,
        length: Long,
    ): Dimension {
        val isTaken = dimensions.any { it.name() == usual && it.length() != length }
        return dimension(variable, if (isTaken) "${usual}_$variable" else usual, length)
    }

    private fun dimension(
        variable: String,
        name: String,
        length: Long,
    ): Dimension {
        val known = dimensions.find { it.name() == name }
        require(known == null || known.length() == length) {
            "variable '$variable' has a dimension '$name' of length $length, but another variable one of length " +
                "${known!!.length()}. Name the dimensions of one of them"
        }
        return known ?: Dimension(name, length).also { dimensions += it }
    }

    internal fun plan(): OutputPlan {
        val record = Dimension.unlimited(records)
        val layout = layout(record)
        val files = layout.spec().variables().map { FileVariable(layout, it) }
        return OutputPlan(
            layout,
            files,
            files.zip(variables).mapNotNull { (file, declared) -> declared.source(file) },
            concentrators,
        )
    }

    private fun layout(record: Dimension): NetcdfLayout {
        val chosen = format
        if (chosen != null) return NetcdfLayout.plan(spec(chosen, record))
        val hasAll = variables.all { NetcdfFormat.CDF_2.has(it.type) }
        val old = if (hasAll) runCatching { NetcdfLayout.plan(spec(NetcdfFormat.CDF_2, record)) }.getOrNull() else null
        return old ?: NetcdfLayout.plan(spec(NetcdfFormat.CDF_5, record))
    }

    private fun spec(
        format: NetcdfFormat,
        record: Dimension,
    ) = NetcdfSpec(
        format,
        listOf(record) + dimensions,
        attributes,
        variables.map { Variable(it.name, it.type, listOf(record) + it.dimensions, it.said.attributes) },
    )

    private class Declared(
        val name: String,
        val type: NetcdfType,
        val dimensions: List<Dimension>,
        val said: NetcdfVariable,
        val source: FileVariable.() -> CellSource?,
    )

    private companion object {
        val ONE_CELL: Box = Shape.of(1).box()

        fun Box.blockOf(value: Double) = CellBlock(this, this, Cells.of(doubleArrayOf(value)))

        fun FileVariable.source(
            type: ElementType,
            blocks: () -> List<CellBlock>,
        ) = CellSource(this, type, blocks)

        val LAST_NAMES = listOf("z", "y", "x")
    }
}

/** What is said about a variable of a NetCDF file. */
public class NetcdfVariable internal constructor() {
    internal val attributes = mutableListOf<Attribute>()

    public fun attribute(
        name: String,
        text: String,
    ): NetcdfVariable = apply { attributes += Attribute.of(name, text) }

    public fun attribute(
        name: String,
        values: Values,
    ): NetcdfVariable = apply { attributes += Attribute.of(name, values) }

    /** The value of cells that no rank puts: one number of the variable's type. */
    public fun fill(value: Values): NetcdfVariable = attribute(Attribute.FILL_VALUE, value)
}
