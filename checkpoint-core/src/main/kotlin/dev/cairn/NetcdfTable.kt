package dev.cairn

import dev.cairn.grid.Shape
import dev.cairn.output.CellOrigin
import dev.cairn.output.cellsOf
import dev.cairn.sion.netcdf.NetcdfType
import dev.cairn.state.ElementType
import java.util.function.Supplier
import java.util.function.ToDoubleFunction
import java.util.function.ToLongFunction

/**
 * Declares variables that have a value of each row of a table, in the order of the rows' ids; see [NetcdfBuilder.table].
 * Valid only during that call.
 */
@StateDsl
public class NetcdfTable<R> internal constructor(
    private val netcdf: NetcdfBuilder,
    private val dimension: String,
    private val count: Long,
    private val rows: Supplier<List<R>>,
    private val id: ToLongFunction<R>,
) {
    /** In each record, the [value] of each row at an append. */
    @JvmOverloads
    public fun variable(
        name: String,
        units: String? = null,
        type: NetcdfType = NetcdfType.DOUBLE,
        value: ToDoubleFunction<R>,
    ): NetcdfVariable {
        val origin =
            CellOrigin.Appended(ElementType.DOUBLE) {
                rows.get().cellsOf(dimension, count, id::applyAsLong, value::applyAsDouble)
            }
        return netcdf.declare(name, type, Shape.of(count), listOf(dimension), units, origin)
    }
}
