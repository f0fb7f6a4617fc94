package dev.cairn

import dev.cairn.codec.ArrayKind
import dev.cairn.event.requireDeclared
import dev.cairn.item.BoundColumn
import dev.cairn.item.BoundColumns
import dev.cairn.item.BoundRecords
import dev.cairn.item.Column
import dev.cairn.item.ColumnChanges
import dev.cairn.item.ColumnForm
import dev.cairn.item.EnumForm
import dev.cairn.item.NumberForm
import dev.cairn.item.Row
import dev.cairn.item.RowCount
import dev.cairn.item.RowOwner
import dev.cairn.item.Rows
import dev.cairn.item.TableItem
import dev.cairn.item.TableRule
import dev.cairn.item.TableSource
import dev.cairn.item.TextForm
import dev.cairn.item.UniqueIds
import java.util.function.Consumer
import java.util.function.IntConsumer
import java.util.function.IntSupplier
import java.util.function.Supplier

/** Declares properties of a table's rows, of type [R], and the rule for another number of ranks. */
@StateDsl
public sealed class RowRules<R>(
    internal val table: String,
) {
    private var idColumn: String? = null
    private var rule: TableRule = TableRule.Refuse
    private val changes = ColumnChanges(table)
    internal val textSizes = mutableMapOf<String, Int>()

    /** On another number of ranks each row goes to the rank that [owner] returns. */
    public fun owner(owner: RowOwner<R>) {
        decide(TableRule.Owned { rows, rankCount -> owners(owner, rows, rankCount) })
    }

    /** Any rank may have any row: on another number of ranks they are dealt in order, in nearly equal shares. */
    public fun positionFree() {
        decide(TableRule.PositionFree)
    }

    /** No two rows have the same number in [column], which is of longs or ints. Every save compares them all. */
    public fun uniqueIds(column: String) {
        idColumn = column
    }

    /** In older checkpoints [column] may have one of these [names]. */
    public fun formerly(
        column: String,
        vararg names: String,
    ) {
        changes.rename(column, names.toList())
    }

    /** Older checkpoints may hold a column of this name, which this program no longer needs. */
    public fun removed(column: String) {
        changes.remove(column)
    }

    /** Older checkpoints may have no [column]: their rows get [value] there. */
    public fun added(
        column: String,
        value: Any,
    ) {
        changes.add(column, value)
    }

    /** The texts in the component [column] of the records have at most [atMost] bytes of UTF-8. */
    public fun text(
        column: String,
        atMost: Int,
    ) {
        textSizes[column] = atMost
    }

    private fun decide(decision: TableRule) {
        requireDeclared(rule is TableRule.Refuse) {
            "table '$table' has two rules for another number of ranks: declare one owner, or positionFree()"
        }
        rule = decision
    }

    internal fun item(
        key: Int,
        formerNames: List<String>,
    ): TableItem {
        val source = source()
        changes.requireFit(source.columns)
        val ids = idColumn?.let { UniqueIds(table, it) }
        ids?.requireIn(source.columns)
        return TableItem(table, key, formerNames, source, rule, ids, changes)
    }

    internal abstract fun source(): TableSource

    internal abstract fun owners(
        owner: RowOwner<R>,
        rows: Rows,
        rankCount: Int,
    ): (Int) -> Int
}

/** The rules of a table of records. */
internal class RecordRules<R : Any>(
    table: String,
    private val source: BoundRecords<R>,
) : RowRules<R>(table) {
    override fun source() = source.also { it.textSizes = textSizes }

    override fun owners(
        owner: RowOwner<R>,
        rows: Rows,
        rankCount: Int,
    ): (Int) -> Int {
        val record = source.recordOf(rows)
        return { owner.rankOf(record(it), rankCount) }
    }
}

/**
 * Lists the columns of a table: for each a function that returns the program's present array, and one that takes a
 * restored one. If the arrays hold more than the rows, [rows] gives the number of rows.
 */
public class TableBuilder internal constructor(
    table: String,
) : RowRules<Row>(table) {
    private val columns = mutableListOf<BoundColumn<*>>()
    private var rowCount: RowCount? = null

    /** How many of the arrays' elements are rows, from the first one on; [set] gets their number when they are new. */
    public fun rows(
        get: IntSupplier,
        set: IntConsumer,
    ) {
        rowCount = RowCount(get::getAsInt, set::accept)
    }

    public fun booleans(
        name: String,
        get: Supplier<BooleanArray>,
        set: Consumer<BooleanArray>,
    ): Unit = add(name, ArrayKind.BOOLEANS, get, set)

    public fun bytes(
        name: String,
        get: Supplier<ByteArray>,
        set: Consumer<ByteArray>,
    ): Unit = add(name, ArrayKind.BYTES, get, set)

    public fun shorts(
        name: String,
        get: Supplier<ShortArray>,
        set: Consumer<ShortArray>,
    ): Unit = add(name, ArrayKind.SHORTS, get, set)

    public fun chars(
        name: String,
        get: Supplier<CharArray>,
        set: Consumer<CharArray>,
    ): Unit = add(name, ArrayKind.CHARS, get, set)

    public fun ints(
        name: String,
        get: Supplier<IntArray>,
        set: Consumer<IntArray>,
    ): Unit = add(name, ArrayKind.INTS, get, set)

    public fun longs(
        name: String,
        get: Supplier<LongArray>,
        set: Consumer<LongArray>,
    ): Unit = add(name, ArrayKind.LONGS, get, set)

    public fun floats(
        name: String,
        get: Supplier<FloatArray>,
        set: Consumer<FloatArray>,
    ): Unit = add(name, ArrayKind.FLOATS, get, set)

    public fun doubles(
        name: String,
        get: Supplier<DoubleArray>,
        set: Consumer<DoubleArray>,
    ): Unit = add(name, ArrayKind.DOUBLES, get, set)

    /** Texts of at most [atMost] bytes of UTF-8; a longer one is refused when it is saved. */
    public fun texts(
        name: String,
        atMost: Int,
        get: Supplier<Array<String>>,
        set: Consumer<Array<String>>,
    ): Unit = add(TextForm(table, name, atMost), get, set)

    /** Constants of the enum [type]. They are identified by their names, so they may be reordered, and others added. */
    public fun <E : Enum<E>> enums(
        name: String,
        type: Class<E>,
        get: Supplier<Array<E>>,
        set: Consumer<Array<E>>,
    ): Unit = add(EnumForm(table, name, type), get, set)

    private fun <A : Any> add(
        name: String,
        kind: ArrayKind<A>,
        get: Supplier<A>,
        set: Consumer<A>,
    ): Unit = add(NumberForm(Column(name, kind)), get, set)

    private fun <A : Any> add(
        form: ColumnForm<A>,
        get: Supplier<A>,
        set: Consumer<A>,
    ) {
        requireNamed(form.name) { "a column of the table '$table'" }
        requireDeclared(columns.none { it.form.name == form.name }) {
            "table '$table' has two columns '${form.name}': give each a name of its own"
        }
        columns += BoundColumn(table, form, get::get, set::accept)
    }

    override fun source(): TableSource {
        requireDeclared(columns.isNotEmpty()) { "table '$table' has no columns: name at least one" }
        requireDeclared(
            textSizes.isEmpty(),
        ) { "table '$table' declares its texts with texts(…): text(…) is for records" }
        return BoundColumns(table, columns, rowCount)
    }

    override fun owners(
        owner: RowOwner<Row>,
        rows: Rows,
        rankCount: Int,
    ): (Int) -> Int {
        val row = Row(table, rows)
        return { number -> owner.rankOf(row.apply { this.number = number }, rankCount) }
    }
}
