package dev.cairn

import java.util.function.Consumer
import java.util.function.Supplier
import kotlin.properties.PropertyDelegateProvider

/**
 * The columns of a table as properties, whose names are the columns' names:
 *
 * ```
 * class Stars : Columns() {
 *     var id by longs()
 *     var x by doubles()
 * }
 * ```
 *
 * The rows are the elements of the arrays, which are all as long as each other whenever the state is saved. A restart puts new
 * arrays there. It belongs to one rank.
 */
public abstract class Columns {
    private val columns = mutableListOf<TableBuilder.() -> Unit>()

    protected fun booleans(first: BooleanArray = BooleanArray(0)): ColumnProperty<BooleanArray> =
        column(first, TableBuilder::booleans)

    protected fun bytes(first: ByteArray = ByteArray(0)): ColumnProperty<ByteArray> = column(first, TableBuilder::bytes)

    protected fun shorts(first: ShortArray = ShortArray(0)): ColumnProperty<ShortArray> =
        column(first, TableBuilder::shorts)

    protected fun chars(first: CharArray = CharArray(0)): ColumnProperty<CharArray> = column(first, TableBuilder::chars)

    protected fun ints(first: IntArray = IntArray(0)): ColumnProperty<IntArray> = column(first, TableBuilder::ints)

    protected fun longs(first: LongArray = LongArray(0)): ColumnProperty<LongArray> = column(first, TableBuilder::longs)

    protected fun floats(first: FloatArray = FloatArray(0)): ColumnProperty<FloatArray> =
        column(first, TableBuilder::floats)

    protected fun doubles(first: DoubleArray = DoubleArray(0)): ColumnProperty<DoubleArray> =
        column(first, TableBuilder::doubles)

    /** Texts of at most [atMost] bytes of UTF-8. */
    protected fun texts(
        atMost: Int,
        first: Array<String> = emptyArray(),
    ): ColumnProperty<Array<String>> = column(first) { name, get, set -> texts(name, atMost, get, set) }

    /** Constants of an enum. */
    protected inline fun <reified E : Enum<E>> enums(first: Array<E> = emptyArray()): ColumnProperty<Array<E>> =
        enums(E::class.java, first)

    /** Constants of the enum [type]. */
    protected fun <E : Enum<E>> enums(
        type: Class<E>,
        first: Array<E>,
    ): ColumnProperty<Array<E>> = column(first) { name, get, set -> enums(name, type, get, set) }

    internal fun declareIn(table: TableBuilder) = columns.forEach { table.it() }

    private fun <A> column(
        first: A,
        declare: TableBuilder.(name: String, get: Supplier<A>, set: Consumer<A>) -> Unit,
    ): ColumnProperty<A> {
        val variable = Variable(first)
        return PropertyDelegateProvider { _, property ->
            columns += { declare(property.name, { variable.value }, { variable.value = it }) }
            variable
        }
    }
}

/** What stands behind a column. */
public typealias ColumnProperty<A> = PropertyDelegateProvider<Any?, Variable<A>>
