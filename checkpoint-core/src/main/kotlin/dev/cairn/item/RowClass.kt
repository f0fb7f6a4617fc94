package dev.cairn.item

import dev.cairn.event.requireDeclared
import dev.cairn.state.ArrayKind
import dev.cairn.state.Meaning
import dev.cairn.state.NamedType
import dev.cairn.state.ThrowingFunction
import java.lang.reflect.Field
import java.util.Collections
import java.util.IdentityHashMap

/**
 * The class of the rows of a [table], or several kinds of them: their fields, and how a restart makes them.
 *
 * @param kinds the classes of the objects by their names; empty if all are of the class [type] itself
 * @param excepted the names of fields that are no columns
 * @param maker makes an object, whose fields are set then; null if that is done without a constructor
 */
internal class RowClass<R : Any>(
    private val table: String,
    val type: Class<R>,
    kinds: Map<String, Class<out R>>,
    excepted: Set<String>,
    private val maker: ThrowingFunction<Row, R>?,
) {
    private val isOfKinds = kinds.isNotEmpty()
    private val columns = LinkedHashMap<Field, GraphColumn>()

    /** Of fields that are lists or arrays, the class of what these hold. */
    private val heldTypes = IdentityHashMap<GraphColumn, Class<*>>()

    val kinds: List<RowKind> =
        kinds.ifEmpty { mapOf(type.name to type) }.map { (name, of) -> RowKind(table, name, of, excepted, ::columnOf) }

    /** Those of all kinds. Each is a column. */
    val fields: List<GraphColumn> = columns.values.distinct()

    /** The column of the kinds, if there are several. */
    val kindColumn: Column<ByteArray>? =
        if (kinds.isEmpty()) null else Column(KIND, ArrayKind.BYTES, Meaning.Constants(this.kinds.map { it.name }))

    /** Which fields each kind has. */
    val layout: Map<String, String>
        get() =
            if (kindColumn == null) {
                emptyMap()
            } else {
                kinds.associate { LAYOUT_KIND + it.name to it.fields.joinToString(NAME_END) { field -> field.name } }
            }

    private val kindNumbers = this.kinds.withIndex().associate { (number, kind) -> kind.type to number }

    val hasRecords = this.kinds.any { it.type.isRecord }

    init {
        requireDistinct()
        val record = this.kinds.find { it.type.isRecord }
        requireDeclared(maker == null || record == null, table) {
            "table '$table' makes its rows by a function, but ${record?.type?.name} is a record, which its " +
                "constructor makes: leave out make()"
        }
        val titled = fields.find { it.name == KIND }
        requireDeclared(kindColumn == null || titled == null, table) {
            "table '$table' has kinds of rows, whose names stand in the column '$KIND', but " +
                "${titled?.described?.declaring} has a field of that name: rename it"
        }
        val listed = fields.find { isOfKinds && NAME_END in it.name }
        requireDeclared(listed == null, table) {
            "table '$table' has kinds of rows, whose fields are listed by name, but that of '${listed?.name}' has a " +
                "comma: rename it"
        }
        val known = this.kinds.flatMap { it.fieldNames }.distinct()
        val missing = excepted.find { it !in known }
        requireDeclared(missing == null, table) {
            "table '$table' excepts the field '$missing', but ${type.name} has only $known that are saved"
        }
    }

    private fun columnOf(field: Field, bound: Map<String, NamedType>): GraphColumn {
        val held =
            typeOrNull(field.genericType, bound)
                ?.arguments
                ?.singleOrNull()
                ?.raw
                ?.java
                ?.takeIf { ListShape.of(field.type) != null }
        val known = columns[field] ?: sharedBy(field)
        if (known != null) return known.also { requireAlike(it, held) }
        val column = if (isOfKinds) SharedColumn(field) else GraphColumn(field)
        if (held != null) heldTypes[column] = held
        return column.also { columns[field] = it }
    }

    /** The column of another kind's field of the same name and type. */
    private fun sharedBy(field: Field): SharedColumn? {
        val column =
            columns.values.find { it.name == field.name && it.type == field.type } as? SharedColumn ?: return null
        column.add(field)
        columns[field] = column
        return column
    }

    /** Two kinds may inherit one field of a generic class, and bind its type otherwise, or have lists of different rows. */
    private fun requireAlike(field: GraphColumn, held: Class<*>?) =
        requireDeclared(heldTypes[field] == held, table) {
            val types = listOf(heldTypes[field], held).joinToString(" or ") { it?.name ?: "objects" }
            "table '$table' has kinds of rows for which the field '${field.name}' of ${field.described.declaring} " +
                "holds $types: let each of them have a field of its own, by another name, or save the rows as a graph"
        }

    private fun requireDistinct() {
        requireDeclared(kinds.size in 1..Byte.MAX_VALUE && kindNumbers.size == kinds.size, table) {
            "table '$table' has ${kinds.size} kinds of rows: declare at most ${Byte.MAX_VALUE}, and each class once"
        }
        val (name, same) = fields.groupBy { it.name }.entries.find { (_, all) -> all.size > 1 } ?: return
        throw invalid(
            table,
            "table '$table' has kinds of rows with fields '$name' of different types, in " +
                "${same.joinToString(" and ") { it.described.declaring }}: rename one of them",
        )
    }

    /** How the [field] of the rows of [table] leads to rows; null if it holds a value. */
    fun linkOf(table: BoundObjects<*>, field: GraphColumn, linked: LinkedRows): RowLink? {
        if (RowReference.isOne(field.type)) return RowReference(table, field, field.type, linked)
        val shape = ListShape.of(field.type) ?: return null
        val held = heldTypes[field]?.takeIf(RowReference::isOne) ?: return null
        return RowLists(table, field, shape, RowReference(table, field, held, linked))
    }

    fun titleOf(field: GraphColumn) = "${if (hasRecords) "component" else "field"} '${field.name}' of ${type.name}"

    /** The number of the kind of [row], which has no [flaw][flawOf]. */
    fun kindOf(row: Any): Int = kindNumbers.getValue(row.javaClass)

    /** Why a restart would not make this [row], as the end of a sentence; null if it would. */
    fun flawOf(row: Any?): String? {
        if (row == null) return "is null. Leave out rows that do not exist"
        val number = kindNumbers[row.javaClass]
        return if (number == null) "is a ${row.javaClass.name}, $NO_KIND" else kinds[number].flawOf(row)
    }

    /** Whether the row of a number, among those that are [stored], is of a kind that has the field of [column]. */
    fun isIn(column: Column<*>, stored: Rows): (row: Int) -> Boolean {
        val at = stored.columns.indexOfFirst { it.name == KIND }
        if (kindColumn == null || at < 0) return { true }
        val names = (stored.columns[at].meaning as Meaning.Constants).constants
        val has =
            names.map { name ->
                kinds.find { it.name == name }?.run { column.name == KIND || fields.any { it.name == column.title } }
            }
        return { row ->
            val place = EnumForm.placeIn(stored.arrays[at], row)
            has.getOrNull(place) ?: throw kindGone(names.getOrElse(place) { "$place" })
        }
    }

    private fun kindGone(name: String) =
        notFitting(
            table,
            "rows of '$table' are of the kind '$name' in the checkpoint, which the program does not have: declare " +
                "the class that they have today by kind(\"$name\", …)",
        )

    /** A row of a kind, which was not made by the program, unless it is a record. */
    fun plain(kind: Int, valueOf: (GraphColumn) -> Any?): R = type.cast(kinds[kind].make(valueOf))

    /** Makes [rows] for the program, whose kinds and values are these. */
    fun makeAll(rows: Rows, values: RowValues): List<R> {
        val all = if (maker == null) makeEmpty(rows.count, values) else makeBy(maker, rows, values)
        for (field in fields) values.column(field)?.let { field.setAll(all, it) }
        return all
    }

    /** Records are complete. */
    private fun makeEmpty(count: Int, values: RowValues): List<R> =
        List(count) { number ->
            val kind = kinds[values.kindOf(number)]
            type.cast(if (kind.type.isRecord) kind.make(values.of(number)) else kind.makeEmpty())
        }

    private fun makeBy(maker: ThrowingFunction<Row, R>, rows: Rows, values: RowValues): List<R> {
        val row = Row(table, rows)
        val made = Collections.newSetFromMap(IdentityHashMap<R, Boolean>(rows.count))
        return List(rows.count) { number ->
            val one: R? = maker.apply(row.apply { this.number = number })
            val kind = kinds[values.kindOf(number)]
            if (one?.javaClass != kind.type || !made.add(one)) throw notMade(number, one, kind)
            one
        }
    }

    private fun notMade(number: Int, made: Any?, kind: RowKind) =
        notFitting(
            table,
            "make() of the table '$table' returned ${made?.javaClass?.name ?: "null"} for row $number, and should " +
                "return a new ${kind.type.name} for each row: correct it, and start again.",
        )

    companion object {
        const val KIND = "class"

        /** Between the names of the fields of a kind. */
        const val NAME_END = ","
        private const val NO_KIND =
            "which is another class than the table has. Declare its classes, each by kind(), or keep such rows in a " +
                "list of their own, and declare that, too"
    }
}

/** The kinds of restored rows, and the values of their fields. */
internal interface RowValues {
    fun kindOf(row: Int): Int

    /** The values of a field in all rows, in an array; null if it leads to rows. */
    fun column(field: GraphColumn): Any?

    fun of(row: Int): (GraphColumn) -> Any?
}
