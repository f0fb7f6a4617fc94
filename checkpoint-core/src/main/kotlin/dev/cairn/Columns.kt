package dev.cairn

import java.util.function.Consumer
import java.util.function.Supplier

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
 * In Java they are fields that name their columns: `final Variable<double[]> x = doubles().named("x");`.
 *
 * The rows are the elements of the arrays, which all have the same length whenever the state is saved. A restart puts
 * new arrays there. It belongs to one rank.
 */
public abstract class Columns {
    private val properties = Properties()
    private val columns = mutableListOf<TableBuilder.() -> Unit>()

    @JvmOverloads
    protected fun booleans(first: BooleanArray = BooleanArray(0)): StateProperty<Variable<BooleanArray>> =
        column("booleans", first, TableBuilder::booleans)

    @JvmOverloads
    protected fun bytes(first: ByteArray = ByteArray(0)): StateProperty<Variable<ByteArray>> =
        column("bytes", first, TableBuilder::bytes)

    @JvmOverloads
    protected fun shorts(first: ShortArray = ShortArray(0)): StateProperty<Variable<ShortArray>> =
        column("shorts", first, TableBuilder::shorts)

    @JvmOverloads
    protected fun chars(first: CharArray = CharArray(0)): StateProperty<Variable<CharArray>> =
        column("chars", first, TableBuilder::chars)

    @JvmOverloads
    protected fun ints(first: IntArray = IntArray(0)): StateProperty<Variable<IntArray>> =
        column("ints", first, TableBuilder::ints)

    @JvmOverloads
    protected fun longs(first: LongArray = LongArray(0)): StateProperty<Variable<LongArray>> =
        column("longs", first, TableBuilder::longs)

    @JvmOverloads
    protected fun floats(first: FloatArray = FloatArray(0)): StateProperty<Variable<FloatArray>> =
        column("floats", first, TableBuilder::floats)

    @JvmOverloads
    protected fun doubles(first: DoubleArray = DoubleArray(0)): StateProperty<Variable<DoubleArray>> =
        column("doubles", first, TableBuilder::doubles)

    /** Texts of at most [atMost] bytes of UTF-8. */
    @JvmOverloads
    protected fun texts(
        atMost: Int,
        first: Array<String> = emptyArray(),
    ): StateProperty<Variable<Array<String>>> =
        column("texts", first) { name, get, set -> texts(name, atMost, get, set) }

    /** Constants of an enum. */
    protected inline fun <reified E : Enum<E>> enums(
        first: Array<E> = emptyArray(),
    ): StateProperty<Variable<Array<E>>> = enums(E::class.java, first)

    /** Constants of the enum [type]. */
    protected fun <E : Enum<E>> enums(
        type: Class<E>,
        first: Array<E>,
    ): StateProperty<Variable<Array<E>>> = column("enums", first) { name, get, set -> enums(name, type, get, set) }

    internal fun declareIn(table: TableBuilder) {
        properties.requireNamed()
        columns.forEach { table.it() }
    }

    private fun <A> column(
        function: String,
        first: A,
        declare: TableBuilder.(name: String, get: Supplier<A>, set: Consumer<A>) -> Unit,
    ): StateProperty<Variable<A>> {
        val variable = Variable(first)
        return properties.add(function, variable) { name, formerNames ->
            columns += {
                declare(name, { variable.value }, { variable.value = it })
                if (formerNames.isNotEmpty()) formerly(name, *formerNames.toTypedArray())
            }
        }
    }
}
