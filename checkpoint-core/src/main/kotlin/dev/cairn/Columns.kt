package dev.cairn

import java.util.function.Consumer
import java.util.function.Supplier
import kotlin.properties.PropertyDelegateProvider
import kotlin.reflect.KProperty

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
 * In Java they are fields that name their columns: `final Variable<double[]> x = doubles("x");`.
 *
 * The rows are the elements of the arrays, which all have the same length whenever the state is saved. A restart puts
 * new arrays there. It belongs to one rank.
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

    /** As the other [booleans], for Java: the column [name]. The same holds for the other types. */
    @JvmOverloads
    protected fun booleans(
        name: String,
        first: BooleanArray = BooleanArray(0),
    ): Variable<BooleanArray> = booleans(first).named(name)

    @JvmOverloads
    protected fun bytes(
        name: String,
        first: ByteArray = ByteArray(0),
    ): Variable<ByteArray> = bytes(first).named(name)

    @JvmOverloads
    protected fun shorts(
        name: String,
        first: ShortArray = ShortArray(0),
    ): Variable<ShortArray> = shorts(first).named(name)

    @JvmOverloads
    protected fun chars(
        name: String,
        first: CharArray = CharArray(0),
    ): Variable<CharArray> = chars(first).named(name)

    @JvmOverloads
    protected fun ints(
        name: String,
        first: IntArray = IntArray(0),
    ): Variable<IntArray> = ints(first).named(name)

    @JvmOverloads
    protected fun longs(
        name: String,
        first: LongArray = LongArray(0),
    ): Variable<LongArray> = longs(first).named(name)

    @JvmOverloads
    protected fun floats(
        name: String,
        first: FloatArray = FloatArray(0),
    ): Variable<FloatArray> = floats(first).named(name)

    @JvmOverloads
    protected fun doubles(
        name: String,
        first: DoubleArray = DoubleArray(0),
    ): Variable<DoubleArray> = doubles(first).named(name)

    @JvmOverloads
    protected fun texts(
        name: String,
        atMost: Int,
        first: Array<String> = emptyArray(),
    ): Variable<Array<String>> = texts(atMost, first).named(name)

    protected fun <E : Enum<E>> enums(
        name: String,
        type: Class<E>,
        first: Array<E>,
    ): Variable<Array<E>> = enums(type, first).named(name)

    internal fun declareIn(table: TableBuilder) = columns.forEach { table.it() }

    private fun <A> column(
        first: A,
        declare: TableBuilder.(name: String, get: Supplier<A>, set: Consumer<A>) -> Unit,
    ) = ColumnProperty<A> { name, formerNames ->
        Variable(first).also { variable ->
            columns += {
                declare(name, { variable.value }, { variable.value = it })
                if (formerNames.isNotEmpty()) formerly(name, *formerNames.toTypedArray())
            }
        }
    }
}

/** A column without a name yet: the property that is delegated to it with `by` gives the name. */
public class ColumnProperty<A> internal constructor(
    private val formerNames: List<String> = emptyList(),
    private val declare: (name: String, formerNames: List<String>) -> Variable<A>,
) : PropertyDelegateProvider<Any?, Variable<A>> {
    /** The column had this [name] in earlier versions of the program. */
    public infix fun formerly(name: String): ColumnProperty<A> = ColumnProperty(formerNames + name, declare)

    override fun provideDelegate(
        thisRef: Any?,
        property: KProperty<*>,
    ): Variable<A> = named(property.name)

    /** For Java, which has no properties. */
    internal fun named(name: String): Variable<A> = declare(name, formerNames)
}
