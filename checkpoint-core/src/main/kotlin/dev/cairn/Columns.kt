package dev.cairn

import dev.cairn.event.requireDeclared
import dev.cairn.item.BoundColumn
import dev.cairn.item.BoundColumns
import dev.cairn.item.ItemName
import dev.cairn.item.Row
import dev.cairn.item.RowCount
import dev.cairn.state.ThrowingConsumer
import java.lang.reflect.Array
import java.util.concurrent.Callable

/**
 * The columns of a table, and the rules for its rows. A column is an array of numbers, texts or constants of an enum. Cairn keeps
 * those that are properties:
 *
 * ```
 * class Stars : Columns() {
 *     var id by column<LongArray>()
 *     var x by column<DoubleArray>()
 * }
 * ```
 *
 * In Java they are fields that name their columns: `final Variable<double[]> x = column(double[].class).named("x");`.
 *
 * The program keeps columns that are declared with a name, and with functions that return the present array and take a restored one.
 *
 * The rows are the elements of the arrays, which all have the same length whenever the state is saved, unless [rows] gives the number
 * of rows. A restart puts new arrays there. It belongs to one rank.
 */
@StateDsl
public open class Columns : RowRules<Row>() {
    private val properties = Properties()
    private val columns = mutableListOf<BoundColumn>()
    private var rowCount: RowCount? = null

    /** How many of the arrays' elements are rows, from the first one on; [set] gets their number when they are new. */
    public fun rows(get: Callable<Int>, set: ThrowingConsumer<Int>) {
        rowCount = RowCount(get::call, set::accept)
    }

    /**
     * A column that the program keeps in an array of the class [type], such as `double[].class`. For texts, [text] says how long they
     * are. Constants of an enum are identified by their names, so they may be reordered, and others added.
     */
    public fun <A : Any> column(name: String, type: Class<A>, get: Callable<A>, set: ThrowingConsumer<A>) {
        columns += BoundColumn(name, type, get::call) { set.accept(type.cast(it)) }
    }

    /** A column that the program keeps. */
    @JvmSynthetic
    public inline fun <reified A : Any> column(name: String, noinline get: () -> A, noinline set: (A) -> Unit): Unit =
        column(name, A::class.java, get, set)

    /** A column that Cairn keeps, at first [first]. */
    protected fun <A : Any> column(first: A): StateProperty<Variable<A>> {
        val variable = Variable(first)
        return properties.add("column", variable) { name, formerNames ->
            column(name, first.javaClass, { variable.value }, { variable.value = it })
            if (formerNames.isNotEmpty()) formerly(name, *formerNames.toTypedArray())
        }
    }

    /** A column that Cairn keeps in arrays of the class [type], without rows at first. */
    protected fun <A : Any> column(type: Class<A>): StateProperty<Variable<A>> {
        requireDeclared(type.isArray) { "a column is an array, such as a double[], but not a ${type.name}" }
        return column(type.cast(Array.newInstance(type.componentType, 0)))
    }

    /** A column that Cairn keeps, without rows at first. */
    protected inline fun <reified A : Any> column(): StateProperty<Variable<A>> = column(A::class.java)

    override fun source(id: ItemName, textSizes: Map<String, Int>): BoundColumns {
        val table = id.today
        properties.requireNamed()
        columns.forEach { requireNamed(it.name) { "a column of the table '$table'" } }
        val twice = columns.map { it.name }.repeated()
        requireDeclared(twice == null, table) { "table '$table' has two columns '$twice': give each a name of its own" }
        requireDeclared(columns.isNotEmpty(), table) { "table '$table' has no columns: name at least one" }
        return BoundColumns(table, columns, textSizes, rowCount)
    }
}
