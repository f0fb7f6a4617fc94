package dev.cairn.item

import dev.cairn.event.requireDeclared
import dev.cairn.state.ArrayKind
import java.lang.invoke.MethodHandle
import java.lang.invoke.MethodHandles
import java.lang.invoke.MethodType
import java.lang.reflect.AccessibleObject
import java.lang.reflect.RecordComponent
import java.util.Objects
import java.lang.reflect.Array as AnyArray

/** The program's side of a [table], whose rows the program reads as [R]. */
internal abstract class TableSource<R>(protected val table: String) {
    /** The representation of each column or component. */
    protected abstract val forms: List<ColumnForm<Any>>

    val columns: List<Column<*>> by lazy { forms.flatMap { it.columns } }

    /** The rows at this time; the arrays may be the program's own. */
    abstract fun rows(): Rows

    /** The objects of the program that have the rows now. */
    abstract fun held(): List<Any?>

    /** Gives the program new rows, whose columns are in any order. */
    abstract fun assign(rows: Rows)

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
            "table '$table' has columns of primitive types, texts and enums, but the $title is of ${type.name}",
        )
}

/** The program's own array of a column, of the class [type]: a function that returns it, and one that replaces it. */
internal class BoundColumn(val name: String, val type: Class<*>, val get: () -> Any?, val set: (Any) -> Unit) {
    /** The same, of the [table], with a look at the [effects] of its setter. The program's array may be longer than the rows. */
    fun watched(table: String, effects: SetterEffects) =
        BoundColumn(
            name,
            type,
            get,
            effects.watched(
                table,
                "the column '$name' of the table '$table'",
                { checkNotNull(get()) },
                set,
                isTaken = { now, given -> Objects.deepEquals(beginning(now, AnyArray.getLength(given)), given) },
            ),
        )

    /** The [array] itself, unless it is longer. */
    private fun beginning(array: Any, length: Int): Any {
        if (AnyArray.getLength(array) <= length) return array
        return AnyArray.newInstance(array.javaClass.componentType, length).also {
            System.arraycopy(array, 0, it, 0, length)
        }
    }
}

/** The program's number of rows, where its arrays may be longer. */
internal class RowCount(val get: () -> Int, val set: (Int) -> Unit) {
    /** The same, of the [table], with a look at the [effects] of its setter. */
    fun watched(table: String, effects: SetterEffects) =
        RowCount(get, effects.watched(table, "the number of rows of the table '$table'", get, set))
}

/** A table whose columns are arrays of the program. */
internal class BoundColumns(
    table: String,
    private val bound: List<BoundColumn>,
    textSizes: Map<String, Int>,
    private val rowCount: RowCount?,
) : TableSource<Row>(table) {
    override val forms =
        bound.map { formOf(it.name, "column '${it.name}'", it.type.componentType ?: it.type, textSizes) }

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

    override fun assign(rows: Rows) {
        bound.zip(decode(rows)) { column, array -> column.set(array) }
        rowCount?.set?.invoke(rows.count)
    }

    override fun reader(rows: Rows): (Int) -> Row {
        val row = Row(table, rows)
        return { number -> row.apply { this.number = number } }
    }
}

/**
 * A table whose rows are Java records in a list of the program: each component is a column. During a save and a restore, a copy
 * of the rows is in memory as arrays.
 */
internal class BoundRecords<R : Any>(
    table: String,
    private val type: Class<R>,
    textSizes: Map<String, Int>,
    private val get: () -> List<R?>?,
    private val set: (List<R>) -> Unit,
) : TableSource<R>(table) {
    private val components: Array<RecordComponent> =
        type.recordComponents
            ?: throw invalid(
                table,
                "table '$table' has rows of ${type.name}, but that is not a record class",
            )

    override val forms =
        components.map { formOf(it.name, "component '${it.name}' of ${type.name}", it.type, textSizes) }

    private val constructor = open(type.getDeclaredConstructor(*types())) { unreflectConstructor(it) }

    /** A function of the arrays of the components, a row and a record, which sets that row; numbers are not boxed. */
    private val rowSetter: MethodHandle = rowSetter()

    private fun rowSetter(): MethodHandle {
        val arrays = types().map { it.arrayType() }
        val row = MethodType.methodType(Void.TYPE, arrays + Int::class.java + type)
        val setters =
            components.mapIndexed { index, component ->
                val accessor = open(component.accessor) { unreflect(it) }
                val setter = MethodHandles.filterArguments(MethodHandles.arrayElementSetter(arrays[index]), 2, accessor)
                MethodHandles.permuteArguments(setter, row, index, arrays.size, arrays.size + 1)
            }
        return setters
            .fold(MethodHandles.empty(row)) { before, setter -> MethodHandles.foldArguments(setter, before) }
            .asType(row.generic().changeReturnType(Void.TYPE).changeParameterType(arrays.size, Int::class.java))
            .asSpreader(0, Array<Any>::class.java, arrays.size)
    }

    private fun types() = Array<Class<*>>(components.size) { components[it].type }

    private inline fun <M : AccessibleObject> open(
        member: M,
        unreflect: MethodHandles.Lookup.(M) -> MethodHandle,
    ): MethodHandle {
        requireDeclared(member.trySetAccessible(), table) {
            "table '$table' has rows of ${type.name}, whose module does not open its package to dev.cairn.core: open it"
        }
        return MethodHandles.lookup().unreflect(member)
    }

    override fun rows(): Rows {
        val list = get() ?: throw refusal("its function returned no list, but null")
        val arrays = Array(forms.size) { forms[it].create(list.size) }
        list.forEachIndexed { row, record ->
            if (record == null) throw refusal("row $row of its list is null")
            rowSetter.invokeExact(arrays, row, record as Any)
        }
        return encode(arrays.asList(), list.size)
    }

    override fun held() = listOf(get())

    private fun refusal(flaw: String) =
        notStorable(
            table,
            "the rows of the table '$table' should be records of ${type.name}, but $flaw. Leave out rows that do not " +
                "exist, and let the list be empty where there are none.",
        )

    override fun assign(rows: Rows) = set(List(rows.count, reader(rows)))

    override fun reader(rows: Rows): (Int) -> R {
        val getters = decode(rows).map { MethodHandles.arrayElementGetter(it.javaClass).bindTo(it) }
        val ofRows = MethodHandles.filterArguments(constructor, 0, *getters.toTypedArray())
        val ofRow =
            MethodHandles
                .permuteArguments(ofRows, MethodType.methodType(type, Int::class.java), *IntArray(getters.size))
                .asType(MethodType.methodType(Any::class.java, Int::class.java))
        return { row -> type.cast(ofRow.invokeExact(row)) }
    }
}
