package dev.cairn.item

import dev.cairn.redistribution.Cells
import dev.cairn.state.PropertyChanges
import dev.cairn.state.ThrowingFunction
import dev.cairn.store.ManifestItem
import java.util.Collections
import java.util.IdentityHashMap
import java.lang.reflect.Array as AnyArray

/**
 * A table whose rows are objects, in a list of the program or in fields of other rows: each of their fields is a column. Numbers are read
 * where they are while the rows are saved.
 *
 * @property ids the name of the column of ids, by which references lead to its rows; null if there is none
 * @param get the list; null if its rows are those to which others lead
 * @param elsewhere makes an object for the id of a row that is on another rank; null if no row leads to such
 * @property linked the tables of the program to which its references may lead
 */
internal class BoundObjects<R : Any>(
    val id: ItemName,
    val rowClass: RowClass<R>,
    val ids: String?,
    textSizes: Map<String, Int>,
    private val get: (() -> List<R>?)?,
    private val set: (List<R>) -> Unit,
    private val elsewhere: ThrowingFunction<Long, R>?,
    override val linked: LinkedRows,
) : TableSource<R>(id.today) {
    val name get() = id.today
    private val fields = rowClass.fields
    val idField = fields.find { it.name == ids }

    /** For each field, how it leads to rows; null if it holds a value. */
    private val linkOfFields = fields.map { rowClass.linkOf(this, it, linked) }

    /** How fields lead to rows. */
    val links = linkOfFields.filterNotNull()

    override val isLinked = links.isNotEmpty()

    override val missingRule get() = if (!isListed) UNLISTED else LINKED.takeIf { isLinked }

    /** Whether its rows are in a list of the program. */
    val isListed get() = get != null

    /** Whether what is saved of several tables depends on its rows and their order. */
    val isShared get() = !isListed || lists.isNotEmpty() || linked.isTargetOfOthers(this)

    /** How its rows lead to those that are in no list. */
    private val toMet by lazy { links.filterNot { it.target.isListed } }

    /** Whether objects may stand for its rows on other ranks. */
    val isElsewhere get() = elsewhere != null

    override val mayLeadAway get() = links.any { it is RowReference && it.target.isElsewhere }

    override val terms get() = if (isElsewhere) listOf("rows elsewhere") else emptyList()

    /** The tables to which its rows lead. */
    val targets: Set<BoundObjects<*>> get() = links.mapTo(LinkedHashSet()) { it.target }

    override val lists = links.filterIsInstance<RowLists>()

    override var isOrdered = true
        private set

    /** The names of the column of ids, of today and former ones; null if there is none. */
    var idNames: List<String?> = listOf(null)
        private set

    /** While a restore lasts. */
    var restored: RestoredRows<R>? = null
        private set

    override val adviceOnTypes get() =
        ": except it, or let it be transient, and make it anew after a restart, or save the rows as a graph"

    override val forms =
        fields.mapIndexed { at, field ->
            linkOfFields[at]?.let { formOf(it) } ?: formOf(field.name, rowClass.titleOf(field), field.type, textSizes)
        } + listOfNotNull(rowClass.kindColumn?.let(::kindForm))

    override val layout: Map<String, String>
        get() = links.associate { LAYOUT_REFERENCE + it.field.name to it.inWords } + rowClass.layout

    override fun requireRule(rule: TableRule, changes: ColumnChanges) {
        isOrdered = rule is TableRule.Refuse
        if (ids != null) idNames = listOf(ids) + changes.formerNames(ids)
        requireSound(changes)
    }

    /** The id of [one], which may stand for a row on another rank; null if it has no such field. */
    fun idOf(one: Any): Long? = idField?.takeIf { it.isIn(one) }?.bits(one)

    /** What the program makes for the row with this [id] on another rank; null if it makes nothing. */
    fun standIn(id: Long): R? {
        val maker = elsewhere ?: return null
        val made: R? = maker.apply(id)
        if (made != null && idOf(made) == id) return made
        throw notFitting(
            name,
            "elsewhere() of the table '$name' returned ${made?.let { "a ${it.javaClass.name}" } ?: "null"} for the " +
                "row with the $ids $id on another rank, and should return an object with that $ids, in the field of " +
                "a class of the table: correct it, and start again.",
        )
    }

    override fun requireStoredKinds(stored: ManifestItem, changes: ColumnChanges) =
        StoredKinds(stored).requireFit(rowClass, changes)

    override fun isIn(column: Column<*>, stored: Rows) = rowClass.isIn(column, stored)

    override fun requireStoredAlike(stored: ManifestItem, columns: ColumnChanges, changes: PropertyChanges) {
        for ((at, field) in fields.withIndex()) {
            val names = listOf(field.name) + columns.formerNames(field.name)
            val column = stored.columns.find { it.title in names } ?: continue
            linkOfFields[at].requireStoredAlike(field, stored.layout[LAYOUT_REFERENCE + column.title], changes)
        }
    }

    private fun RowLink?.requireStoredAlike(field: GraphColumn, then: String?, changes: PropertyChanges) {
        if (this is RowReference) {
            requireStoredAlike(this@BoundObjects.name, field.name, then, changes)
        } else if (this?.inWords != then) {
            throw storedOtherwise(this@BoundObjects.name, field.name, this?.inWords, then)
        }
    }

    override fun rows(): SavedRows {
        val own = linked.present(this)
        val rows = own.rows
        requireDifferent(own)
        linked.requireOwnRows(this, own)
        if (lists.isNotEmpty()) linked.requireOwnLists(this, rows)
        val linkedCells = linkOfFields.map { it?.cells(rows) }
        val cells =
            fields.indices.flatMap { at ->
                linkedCells[at]?.cells ?: cellsOf(forms[at], fields[at], rows)
            } + listOfNotNull(rowClass.kindColumn?.cells(kindsOf(rows)))
        return ReadRows(
            columns,
            cells,
            rows.size,
            lists.associateWith { list -> checkNotNull(linkedCells[linkOfFields.indexOf(list)]?.checksums) },
            linkedCells.mapNotNull { it?.away },
        )
    }

    /** Refuses rows that would not come back. */
    fun presentRows(list: List<Any?>): PresentRows {
        val present = PresentRows(list, idField)
        for ((number, row) in present.rows.withIndex()) {
            val flaw = rowClass.flawOf(row) ?: continue
            throw refusal("row $number of its list $flaw")
        }
        return present
    }

    /** Of rows that are in no list and were [met], those that a restore has just made, as they were stored, and then others. */
    fun inStoredOrder(met: List<Any>): List<Any> {
        val made = restored?.made ?: return met
        val known = identitySetOf(made)
        return made + met.filter { it !in known }
    }

    private fun identitySetOf(all: List<Any>): Set<Any> =
        Collections.newSetFromMap(IdentityHashMap<Any, Boolean>()).apply { addAll(all) }

    /** Refuses a [row], to which the row of a [number] leads, that would not come back. */
    fun requireFit(row: Any, from: BoundObjects<*>, number: Int, link: RowLink) {
        val flaw = rowClass.flawOf(row) ?: return
        throw refusal("'${from.name}[$number].${link.field.name}' $flaw")
    }

    /** Calls [use] with all to which a [row], which has this [number], leads, of tables without a list. */
    inline fun forEachMet(row: Any, number: Int, use: (link: RowLink, found: Any) -> Unit) {
        for (link in toMet) {
            if (link.field.isIn(row)) for (found in link.heldBy(row, number)) if (found != null) use(link, found)
        }
    }

    /** Refuses rows that were others, or in other places, when they were read again within a save. */
    fun changed() =
        notStorable(
            name,
            if (isListed) {
                "the function of the table '$name' returned other rows, or others in their places, or with other " +
                    "ids, when it was asked again. Let it return the same rows within a save, and let no function of " +
                    "the state change them."
            } else {
                "other rows of '$name' were met, or in another order, when they were looked for again. Let no thread " +
                    "and no function of the state change what rows lead to within a save."
            },
        )

    /** Equal records may be there twice. */
    private fun requireDifferent(rows: PresentRows) {
        val (row, first) = rows.firstTwice() ?: return
        throw refusal("row $row of its list is the same object as row $first. Keep it once")
    }

    /** That of the program, which [is there][isListed]. */
    fun list(): List<R> =
        checkNotNull(get)()
            ?: throw refusal("its function returned no list, but null. Let the list be empty where there are none")

    /** A row of a kind that does not have the [field] has the first value of its type there. */
    private fun cellsOf(form: ColumnForm<Any>, field: GraphColumn, rows: Array<Any?>): List<Cells> {
        val column = form.columns.first()
        if (form is NumberForm<*>) {
            return listOf(Cells.of(field.bitsIn(rows), column.type.size))
        }
        val values = form.create(rows.size)
        val unused = field.type.enumConstants?.firstOrNull() ?: ""
        rows.forEachIndexed { at, row -> AnyArray.set(values, at, if (field.isIn(row)) field.get(row!!) else unused) }
        return form.columns.zip(form.encode(values, rows.size)) { its, array -> its.cells(array) }
    }

    private fun kindsOf(rows: Array<Any?>) = ByteArray(rows.size) { rowClass.kindOf(checkNotNull(rows[it])).toByte() }

    private fun refusal(flaw: String) =
        notStorable(name, "the rows of the table '$name' should be objects of ${rowClass.type.name}, but $flaw.")

    /** The list, which leads to the rows, and the lists that these hold. */
    override fun held(): List<Any?> {
        val present = linked.present(this)
        return listOf(present.list) + lists.flatMap { it.changeable(present.rows) } + awayFrom(present.rows)
    }

    /** What may stand for rows on other ranks, also in lists that no one can change. */
    private fun awayFrom(rows: Array<Any?>): List<Any?> =
        links.filter { it.target.isElsewhere }.flatMap { link ->
            rows.withIndex().filter { link.field.isIn(it.value) }.flatMap { link.heldBy(it.value!!, it.index) }
        }

    override fun heldObject() = if (isListed) HeldObject.ofRows(::list, set, holdingLinks(list())) else null

    /** Lets these [rows] lead again to where they lead now: a setter may have copied into them what led to others. */
    private fun holdingLinks(rows: List<Any>): () -> Unit {
        val all = links.flatMap { link -> rows.filter(link.field::isIn).map(link::holding) }
        return { all.forEach { it() } }
    }

    override fun keep(rows: Rows) {
        clearUnused(rows)
        val ids = if (linked.isTarget(this)) idsOf(rows) else null
        val all =
            RestoredRows(rows, ids, linkOfFields, ::standIn) {
                restoring(id.words.wordFor(TableKind.name), name) {
                    rowClass.makeAll(rows, valuesIn(rows) { at -> leads[at] })
                }
            }
        restored = all
        // Records get rows of other tables, which are not all there yet.
        if (links.none { it.field.isOfRecord }) all.made
    }

    /** A new column has other values in rows of kinds without that field than a save has there. */
    private fun clearUnused(rows: Rows) {
        val kinds = kindsIn(rows) ?: return
        fields.forEachIndexed { at, field ->
            val others = rowClass.kinds.indices.filter { field !in rowClass.kinds[it].fields }
            if (others.isEmpty()) return@forEachIndexed
            for (column in columns.filter { it.title == field.name }) {
                val unused = column.create(1)
                if (column.name == field.name) linkOfFields[at]?.let { AnyArray.set(unused, 0, it.none) }
                val cells = checkNotNull(rows.array(column.name))
                for (row in kinds.indices) if (kinds[row].toInt() in others) System.arraycopy(unused, 0, cells, row, 1)
            }
        }
    }

    private fun idsOf(rows: Rows): RowIds? {
        val column = columns.indexOfFirst { it.name == ids }
        return if (column < 0) null else RowIds(rows.longs(column))
    }

    override fun link() {
        val all = checkNotNull(restored)
        linkOfFields.forEachIndexed { at, link ->
            val values = all.leads[at]
            if (link == null || values == null) return@forEachIndexed
            val (made, field) = all.made to link.field
            for ((number, row) in made.withIndex()) if (field.isOpenIn(row)) field.set(row, values.of(number))
        }
    }

    override fun give() = set(checkNotNull(restored).made)

    override val isNeededByOthers get() = !isListed

    override fun release() {
        restored = null
    }

    /** Also of rows that lead to other objects than the program has there. Of those in no list, others may have come. */
    override fun difference(): String? {
        val (stored, made) = checkNotNull(restored).run { stored to made }
        val present = linked.present(this).rows
        if (isListed && present.size != stored.count) {
            return "the function returns ${present.size} rows, not ${stored.count}"
        }
        if (!isListed) {
            val met = identitySetOf(linked.met(this))
            val gone = made.indices.find { made[it] !in met }
            if (gone != null) {
                return "no row leads to row $gone any more, so that the next save would leave it out (if that is " +
                    "meant, declare the function that returns their list, for one run)"
            }
        }
        val now = rows()
        val (row, column) = stored.firstDifference(now) ?: return null
        return if (!isOrdered && now.hasSameRows(stored)) null else "row $row has another '${columns[column].title}'"
    }

    /** Made of the values, of what stands for single rows to which they lead, and of empty lists: this is no row of the program. */
    override fun reader(rows: Rows): (Int) -> R {
        val standIns = HashMap<Pair<BoundObjects<*>, Long>, Any?>()
        val leads =
            linkOfFields.map { link ->
                when (link) {
                    is RowReference -> link.standInsOf(rows, standIns)
                    is RowLists -> link.emptyOnes(rows)
                    null -> null
                }
            }
        val values = valuesIn(rows) { at -> leads[at] }
        return { rowClass.plain(values.kindOf(it), values.of(it)) }
    }

    private fun RowReference.standInsOf(rows: Rows, made: MutableMap<Pair<BoundObjects<*>, Long>, Any?>): LinkedValues {
        val codes = rows.array(field.name) as LongArray
        return LinkedValues { row -> made.getOrPut(target to codes[row]) { standIn(codes[row]) } }
    }

    /** The values of [rows], and that to which the fields of some numbers [lead]. */
    private fun valuesIn(rows: Rows, lead: (at: Int) -> LinkedValues?): RowValues =
        object : RowValues {
            private val arrays = decode(rows)
            private val numbers = fields.withIndex().associate { (at, field) -> field to at }

            private val kinds = kindsIn(rows)

            override fun kindOf(row: Int) = kinds?.get(row)?.toInt() ?: 0

            override fun column(field: GraphColumn): Any? {
                val at = numbers.getValue(field)
                return if (linkOfFields[at] == null) arrays[at] else null
            }

            override fun of(row: Int): (GraphColumn) -> Any? = { field -> valueOf(numbers.getValue(field), row) }

            private fun valueOf(at: Int, row: Int): Any? =
                if (linkOfFields[at] == null) AnyArray.get(arrays[at], row) else lead(at)?.of(row)
        }

    private fun kindsIn(rows: Rows) = rowClass.kindColumn?.let { rows.array(it.name) as ByteArray }

    private companion object {
        val LINKED =
            MissingRule(
                "a table whose rows lead to others",
                "Give it an owner, and declare for each table to which its rows lead a list, uniqueIds, and " +
                    "elsewhere for rows on other ranks",
            )

        val UNLISTED =
            MissingRule(
                "a table whose rows are in no list",
                "Declare the function that returns their list, and an owner",
            )
    }
}

@Suppress("UNCHECKED_CAST") // It gets arrays of bytes alone.
private fun kindForm(column: Column<ByteArray>) = NumberForm(column) as ColumnForm<Any>

@Suppress("UNCHECKED_CAST") // It gets arrays of its columns alone.
private fun formOf(link: RowLink) = link.form as ColumnForm<Any>
