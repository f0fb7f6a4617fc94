package dev.cairn.item

import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.redistribution.CellDigester
import dev.cairn.redistribution.Cells
import dev.cairn.state.ArrayKind
import dev.cairn.state.PropertyChanges

/**
 * A [field] of the rows of [table] that leads to a row. It is stored as the id of that row, or if its table has no ids, as the place of the
 * row in the list of its rank; [NONE] stands for null.
 */
internal class RowReference(
    private val table: BoundObjects<*>,
    override val field: GraphColumn,
    override val type: Class<*>,
    private val linked: LinkedRows,
) : RowLink {
    override val target by lazy { linked.targetOf(table, field, type) }

    /** Whether it may lead to each row of that table. */
    private val takesAll by lazy { target.rowClass.kinds.all { type.isAssignableFrom(it.type) } }

    override val none get() = NONE
    override val form get() = NumberForm(Column(field.name, ArrayKind.LONGS))

    /** A restore reads no reference as one to another table, or by other numbers. */
    override val inWords get() = wordsFor(target.ids, target.name)

    private fun wordsFor(ids: String?, name: String) = "${ids ?: PLACE} of $name"

    override fun heldBy(row: Any, number: Int): List<Any?> = listOf(field.get(row))

    override fun cells(rows: Array<Any?>): LinkedCells {
        val places = Places(linked.present(target))
        val all = IntArray(rows.size)
        forEachOfMany(rows.size, field.type, { rows[it]?.takeIf(field::isIn)?.let(field::get) }) { row, found ->
            all[row] = places.of(found, row)
        }
        return places.cells(all)
    }

    /** Where the rows are to which it leads: among those of this rank, which are [present], or by their ids on other ranks. */
    inner class Places(private val present: PresentRows) {
        private val away = if (target.isElsewhere) AwayIds(path, target.name, present) else null

        /** A place of [row], to which the row number [from] leads, or the [element] with this number in its list. */
        fun of(row: Any?, from: Int, element: Int = NO_ELEMENT): Int {
            if (row == null) return NULL
            val number = present.numberOf(row)
            if (number < 0 && !target.isListed) throw target.changed()
            if (number < 0 && away == null) {
                throw refusal(
                    from,
                    element,
                    "leads to a ${row.javaClass.name} that is no row of '${target.name}'. Put that into its list, " +
                        "let the field be null, or except it",
                )
            }
            if (!type.isInstance(row)) {
                throw refusal(
                    from,
                    element,
                    "leads to a ${row.javaClass.name}, where the field should lead to a ${type.name}. Let it lead " +
                        "to one",
                )
            }
            val place = if (number < 0) NULL - 1 - checkNotNull(away).placeOf(row, from, element) else number
            if (codeOf(place) == NONE) {
                throw refusal(from, element, "leads to a row with the id $NONE, which stands for null")
            }
            return place
        }

        private fun AwayIds.placeOf(row: Any, from: Int, element: Int): Int {
            val id = target.idOf(row)
            if (id == null) {
                throw refusal(
                    from,
                    element,
                    "leads to a ${row.javaClass.name} that is no row of '${target.name}', and has no field " +
                        "'${target.ids}' of one of its classes. Let rows on other ranks be such objects as " +
                        "elsewhere() makes",
                )
            }
            return placeOf(id) ?: throw refusal(
                from,
                element,
                "leads to an object with the ${target.ids} $id that is not the row of '${target.name}' with that " +
                    "${target.ids}. Let it lead to that row, which is on the same rank",
            )
        }

        fun codeOf(place: Int): Long =
            when {
                place >= 0 -> present.codeOf(place)
                place == NULL -> NONE
                else -> checkNotNull(away).idAt(NULL - 1 - place)
            }

        /** The column that leads to these [places]. */
        fun cells(places: IntArray): LinkedCells {
            val codes =
                CellDigester.Load { line, place, offset, count ->
                    for (at in 0 until count) line[place + at] = codeOf(places[offset + at])
                }
            return LinkedCells(listOf(Cells.of(codes, Long.SIZE_BYTES)), away)
        }
    }

    private val path get() = "${table.name}.${field.name}"

    private fun refusal(from: Int, element: Int, flaw: String): InvalidDeclaration {
        val place = if (element == NO_ELEMENT) "" else "[$element]"
        return notStorable(table.name, "'${table.name}[$from].${field.name}$place' $flaw.")
    }

    override fun valuesOf(stored: Rows): LinkedValues {
        val codes = stored.array(field.name) as LongArray
        return LinkedValues { row -> find(codes[row], row) }
    }

    /** What stands for the row of a stored [code], for the owner of a row that leads there; null if nothing does. */
    fun standIn(code: Long): Any? = if (code == NONE) null else target.standIn(code)

    /** The row to which the stored [code] leads; null if that is [NONE]. */
    fun find(code: Long, from: Int): Any? {
        if (code == NONE) return null
        val found = target.restored?.find(code)
        if (found != null && (takesAll || type.isInstance(found))) return found
        val what = if (target.ids == null) "row $code" else "the row with the ${target.ids} $code"
        throw notFitting(
            table.name,
            "'${table.name}[$from].${field.name}' leads to $what of '${target.name}', " +
                "${if (found == null) "which was not restored" else "which is a ${found.javaClass.name}"}. The " +
                "checkpoint is not damaged: restore it by the program that saved it.",
        )
    }

    /** Refuses the [column] of a table if its layout was [then], which is another reference or none. */
    fun requireStoredAlike(table: String, column: String, then: String?, changes: PropertyChanges) {
        val names = listOf(target.name) + target.id.former + changes.formerNames(target.name)
        val isSame = names.any { name -> target.idNames.any { ids -> then == wordsFor(ids, name) } }
        if (!isSame) throw storedOtherwise(table, column, inWords, then)
    }

    companion object {
        const val NONE = Long.MIN_VALUE
        private const val NULL = -1
        private const val NO_ELEMENT = -1
        private const val PLACE = "#"

        /** Whether a field of this [type] is one, and not a value. */
        fun isOne(type: Class<*>) = !type.isPrimitive && !type.isEnum && !type.isArray && !isOfLibrary(type)
    }
}

/** The refusal of a [column] that holds something else [now] than [then]; null stands for values. */
internal fun storedOtherwise(table: String, column: String, now: String?, then: String?) =
    notFitting(
        table,
        "the column '$column' of the table '$table' should hold ${now ?: "values"}, but the checkpoint has there " +
            "${then ?: "values"}. Declare the rows as they were saved, or give the field another name.",
    )

/**
 * Rows of a table that a restore has [stored], and the objects [made] of them, which may not be complete yet.
 *
 * @param links how each field leads to rows; null if it does not
 * @param elsewhere makes what stands for the row of an id on another rank; null if nothing does
 * @param make makes all of them; records get that to which they lead
 */
internal class RestoredRows<R : Any>(
    val stored: Rows,
    private val ids: RowIds?,
    links: List<RowLink?>,
    private val elsewhere: (id: Long) -> R?,
    make: RestoredRows<R>.() -> List<R>,
) {
    /** To what each field leads, when the rows of all tables have been read. */
    val leads: List<LinkedValues?> by lazy { links.map { it?.valuesOf(stored) } }

    val made: List<R> by lazy { make() }
    private val standIns = HashMap<Long, R?>()

    /** The row of a stored [code], or what stands for it here; null if there is none. */
    fun find(code: Long): R? {
        val number = if (ids == null) code else ids.of(code).toLong()
        if (number in made.indices) return made[number.toInt()]
        return standIns.getOrPut(code) { elsewhere(code) }
    }
}

/**
 * Calls [use] with each of the [count] objects that [of] returns: objects of the class [type], or null. They may be anywhere in memory,
 * which is read for many of them at once: that takes less time than one by one.
 */
private inline fun forEachOfMany(
    count: Int,
    type: Class<*>,
    of: (number: Int) -> Any?,
    use: (number: Int, found: Any?) -> Unit,
) {
    val many = arrayOfNulls<Any>(MANY)
    for (first in 0 until count step MANY) {
        val size = minOf(MANY, count - first)
        for (at in 0 until size) many[at] = of(first + at)
        for (at in 0 until size) check(many[at] == null || type.isInstance(many[at])) { "a field holds no $type" }
        for (at in 0 until size) use(first + at, many[at])
    }
}

private const val MANY = 256
