package dev.cairn.output

import dev.cairn.concentrate.Concentrators
import dev.cairn.grid.Shape
import dev.cairn.item.CellBlock
import dev.cairn.sion.netcdf.Attribute
import dev.cairn.sion.netcdf.Dimension
import dev.cairn.sion.netcdf.NetcdfFormat
import dev.cairn.sion.netcdf.NetcdfLayout
import dev.cairn.sion.netcdf.NetcdfSpec
import dev.cairn.sion.netcdf.NetcdfType
import dev.cairn.sion.netcdf.Variable
import dev.cairn.state.ElementType
import java.nio.file.Path

/** Where the cells of a declared variable come from. */
internal sealed interface CellOrigin {
    /** From arrays whose elements are of [type], at each append. */
    class Appended(val type: ElementType, val blocks: () -> List<CellBlock>) : CellOrigin

    /** From single puts. */
    data object Puts : CellOrigin

    /** From the declaration: the variable has no records, and never changes. */
    class Constant(val type: ElementType, val block: CellBlock) : CellOrigin
}

/** Collects what a program declares of a file: its dimensions and variables. */
internal class Declaration {
    val attributes = mutableListOf<Attribute>()
    private val dimensions = mutableListOf<Dimension>()
    private val variables = mutableListOf<DeclaredVariable>()

    /**
     * Adds a variable with [shape], or a single cell, in each record, or once if it is constant.
     *
     * @param dimensionNames null for the usual ones
     * @param attributes may grow until the declaration ends
     */
    fun add(
        name: String,
        type: NetcdfType,
        shape: Shape?,
        dimensionNames: List<String>?,
        attributes: List<Attribute>,
        origin: CellOrigin,
    ) {
        val extents = if (shape == null) emptyList() else List(shape.dimensions()) { shape.extent(it) }
        require(extents.none { it == 0L }) { "variable '$name' has the shape $shape, and no cells. Give it some" }
        require(dimensionNames != null || extents.size <= USUAL_NAMES.size) {
            "variable '$name' has ${extents.size} dimensions, of which only three get names by themselves. Name each"
        }
        val names = dimensionNames ?: usualNames(name, extents)
        require(names.size == extents.size) {
            "variable '$name' has the shape $shape, but ${names.size} names for its dimensions. Name each of them"
        }
        val own = names.zip(extents) { dimension, length -> dimension(name, dimension, length) }
        variables += DeclaredVariable(name, type, own, attributes, origin)
    }

    /** One of another length has the variable in its name. */
    private fun usualNames(variable: String, extents: List<Long>) =
        USUAL_NAMES.takeLast(extents.size).zip(extents) { usual, length ->
            if (dimensions.any { it.name() == usual && it.length() != length }) "${usual}_$variable" else usual
        }

    private fun dimension(variable: String, name: String, length: Long): Dimension {
        val known = dimensions.find { it.name() == name } ?: Dimension(name, length).also { dimensions += it }
        require(known.length() == length) {
            "variable '$variable' has a dimension '$name' of length $length, but another variable one of length " +
                "${known.length()}. Name the dimensions of one of them"
        }
        return known
    }

    /**
     * @param records the name of the dimension that counts records
     * @param chosen null for the oldest variant that has all types and room
     */
    fun plan(
        records: String,
        chosen: NetcdfFormat?,
        concentrators: Concentrators,
        memory: Long,
        stage: Path?,
        room: Long,
    ): OutputPlan {
        val layout = if (chosen != null) layout(chosen, records) else oldestLayout(records)
        val placed =
            layout
                .spec()
                .variables()
                .mapIndexed { number, variable -> FileVariable(layout, number, variable) }
                .zip(variables.map { it.origin })
        return OutputPlan(
            layout,
            placed.map { (variable) -> variable },
            placed.mapNotNull { (variable, origin) ->
                if (origin is CellOrigin.Appended) CellSource(variable, origin.type, origin.blocks) else null
            },
            placed.mapNotNull { (variable, origin) ->
                if (origin is CellOrigin.Constant) variable.put(0, origin.block, origin.type) else null
            },
            concentrators,
            memory,
            stage,
            room,
        )
    }

    private fun oldestLayout(records: String): NetcdfLayout {
        val hasAll = variables.all { NetcdfFormat.CDF_2.has(it.type) }
        val old = if (hasAll) runCatching { layout(NetcdfFormat.CDF_2, records) }.getOrNull() else null
        return old ?: layout(NetcdfFormat.CDF_5, records)
    }

    private fun layout(format: NetcdfFormat, records: String): NetcdfLayout {
        val record = Dimension.unlimited(records)
        val listed = variables.map { Variable(it.name, it.type, it.dimensionsWith(record), it.attributes) }
        return NetcdfLayout.plan(NetcdfSpec(format, listOf(record) + dimensions, attributes, listed))
    }

    private class DeclaredVariable(
        val name: String,
        val type: NetcdfType,
        private val dimensions: List<Dimension>,
        val attributes: List<Attribute>,
        val origin: CellOrigin,
    ) {
        fun dimensionsWith(record: Dimension) =
            if (origin is CellOrigin.Constant) dimensions else listOf(record) + dimensions
    }
}

private val USUAL_NAMES = listOf("z", "y", "x")
