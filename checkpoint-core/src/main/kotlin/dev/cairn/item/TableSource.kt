package dev.cairn.item

import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.requireDeclared
import dev.cairn.state.ArrayKind
import dev.cairn.state.PropertyChanges
import dev.cairn.store.ManifestItem
import java.lang.reflect.Array as AnyArray

/** The program's side of a [table], whose rows the program reads as [R]. */
internal abstract class TableSource<R>(protected val table: String) {
    /** The representation of each column or component. */
    protected abstract val forms: List<ColumnForm<Any>>

    val columns: List<Column<*>> by lazy { forms.flatMap { it.columns } }

    /** The rows at this time, which may be the program's own. */
    abstract fun rows(): SavedRows

    /** The objects of the program that have the rows now. */
    abstract fun held(): List<Any?>

    /** The tables to which its rows may lead; null if they are no objects. */
    open val linked: LinkedRows? get() = null

    /** The refusal on another number of ranks, if it is not that of all tables. */
    open val missingRule: MissingRule? get() = null

    /** Whether its rows lead to others. */
    open val isLinked: Boolean get() = false

    /** Whether its rows may lead to those of other ranks. */
    open val mayLeadAway: Boolean get() = false

    /** What all ranks must declare alike, beside rule and columns. */
    open val terms: List<String> get() = emptyList()

    /** Whether the order of the rows is state. */
    open val isOrdered: Boolean get() = true

    /** Its columns whose rows hold others in lists, which are items of their own. */
    open val lists: List<RowLists> get() = emptyList()

    /** What its columns are, for the layout of the table. */
    open val layout: Map<String, String> get() = emptyMap()

    /** Refuses a [rule] by which its rows do not come back, or [changes] that rows cannot have. */
    open fun requireRule(rule: TableRule, changes: ColumnChanges) = Unit

    /** Refuses a [stored] table whose kinds of rows have other fields than these. */
    open fun requireStoredKinds(stored: ManifestItem, changes: ColumnChanges) = Unit

    /** Whether the row of a number, among those that are [stored], has a value in [column]. */
    open fun isIn(column: Column<*>, stored: Rows): (row: Int) -> Boolean = { true }

    /** Refuses [stored] columns that have the types of these, and another meaning. */
    open fun requireStoredAlike(stored: ManifestItem, columns: ColumnChanges, changes: PropertyChanges) = Unit

    /** What a check of a restart puts back: objects to which other parts of the program may lead. */
    open fun heldObject(): HeldObject<*>? = null

    /** Takes restored [rows], which the program gets by [give]. */
    abstract fun keep(rows: Rows)

    /** The rows of all tables are there: sets the fields that lead to some. */
    open fun link() = Unit

    /** The program gets its rows. */
    abstract fun give()

    /** What the program has now in the place of the rows that it got, as the end of a sentence; null if it has these. */
    protected abstract fun difference(): String?

    /** The rows that it got are not needed any more. */
    abstract fun release()

    /** Whether tables that lead to its rows are compared by those that it got. */
    protected open val isNeededByOthers: Boolean get() = false

    private var isTaken = true

    /** All setters have been called. The program may have its rows later, and its functions may fail until then. */
    fun look() {
        isTaken =
            try {
                difference() == null
            } catch (_: Exception) {
                false
            }
        if (isTaken && !isNeededByOthers) release()
    }

    /** All is restored, and afterRestore has run: refuses a restore if the program has not had its rows. */
    fun requireTaken() {
        if (isTaken) return
        val found =
            try {
                difference()
            } catch (unfit: InvalidDeclaration) {
                unfit.message
                    .orEmpty()
                    .removeSuffix(NOT_SAVED)
                    .removeSuffix(".")
            }
        isTaken = true
        if (found == null) return
        throw notFitting(
            table,
            "the program does not have the rows of the table '$table' that were saved: $found. Let each setter put " +
                "the rows that it gets, in their order, where its function finds them, then or in afterRestore, and " +
                "let no setter change rows.",
        )
    }

    /** A function that returns the row of a number, valid until it is called again. */
    abstract fun reader(rows: Rows): (Int) -> R

    /** The first [count] elements of the program's [arrays], one for each of the [forms]. */
    protected fun encode(arrays: List<Any>, count: Int) =
        Rows(columns, forms.zip(arrays).flatMap { (form, array) -> form.encode(array, count) }.toMutableList(), count)

    /** Arrays for the program, one for each of the [forms]. */
    protected fun decode(rows: Rows): List<Any> = forms.map { it.decode(rows.arrays(it.columns), rows.count) }

    /** The form of the [title], such as "column 'x'", which has values of a [type]. */
    protected fun formOf(name: String, title: String, type: Class<*>, textSizes: Map<String, Int>): ColumnForm<Any> {
        val form: ColumnForm<*> =
            when {
                type == String::class.java -> TextForm(table, name, textSizes[name] ?: throw unlimited(name, title))
                type.isEnum -> enumForm(name, type)
                else -> NumberForm(Column(name, ArrayKind.of(type) ?: throw unfit(title, type)))
            }
        @Suppress("UNCHECKED_CAST") // Each form gets arrays of the type for which it is made.
        return form as ColumnForm<Any>
    }

    @Suppress("UNCHECKED_CAST") // The type is an enum; TimeUnit stands for any.
    private fun enumForm(
        name: String,
        type: Class<*>,
    ) = EnumForm(table, name, type as Class<java.util.concurrent.TimeUnit>)

    private fun unlimited(name: String, title: String) =
        invalid(
            table,
            "table '$table' has texts in the $title: say how many bytes of UTF-8 they have at most, with " +
                "text(\"$name\", …) in the table",
        )

    private fun unfit(title: String, type: Class<*>) =
        invalid(
            table,
            "table '$table' has columns of primitive types, texts and enums, but the $title is of ${type.name}" +
                adviceOnTypes,
        )

    /** The end of a refusal of a type. */
    protected open val adviceOnTypes: String get() = ""
}

/** The program's own array of a column, of the class [type]: a function that returns it, and one that replaces it. */
internal class BoundColumn(val name: String, val type: Class<*>, val get: () -> Any?, val set: (Any) -> Unit)

/** The program's number of rows, where its arrays may be longer. */
internal class RowCount(val get: () -> Int, val set: (Int) -> Unit)

/** A table whose columns are arrays of the program. */
internal class BoundColumns(
    table: String,
    private val bound: List<BoundColumn>,
    textSizes: Map<String, Int>,
    private val rowCount: RowCount?,
) : TableSource<Row>(table) {
    override val forms =
        bound.map { formOf(it.name, "column '${it.name}'", it.type.componentType ?: it.type, textSizes) }

    /** While a restore lasts, the rows that the program does not have yet. */
    private var kept: Rows? = null

    /** While a restore lasts, what the program should have at its end. */
    private var given: ColumnChecksums? = null

    override fun rows(): Rows {
        val arrays = bound.map { it.get() ?: throw noArray(it.name) }
        val sizes = arrays.map(AnyArray::getLength)
        val count = rowCount?.get?.invoke() ?: sizes.first()
        bound.zip(sizes) { column, size -> requireSize(column.name, size, count) }
        return encode(arrays, count)
    }

    override fun held() = bound.map { it.get() }

    private fun noArray(column: String) =
        notStorable(
            table,
            "the column '$column' of the table '$table' has no array: the function that returns it returned " +
                "null. Let it return an array, which is empty where there are no rows.",
        )

    private fun requireSize(column: String, size: Int, count: Int) =
        requireDeclared(if (rowCount == null) size == count else count in 0..size, table) {
            "table '$table' has $count rows, but the array of its column '$column' has $size elements. " +
                "Make it as long, or say with rows() how many of the elements are rows."
        }

    override fun keep(rows: Rows) {
        kept = rows
        given = ColumnChecksums(rows)
    }

    /** The arrays are the program's own from now on. */
    override fun give() {
        val rows = checkNotNull(kept)
        kept = null
        bound.zip(decode(rows)) { column, array -> column.set(array) }
        rowCount?.set?.invoke(rows.count)
    }

    override fun difference() = ColumnChecksums(rows()).differenceFrom(checkNotNull(given))

    override fun release() {
        given = null
    }

    override fun reader(rows: Rows): (Int) -> Row {
        val row = Row(table, rows)
        return { number -> row.apply { this.number = number } }
    }
}
