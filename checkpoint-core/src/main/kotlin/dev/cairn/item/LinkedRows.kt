package dev.cairn.item

import dev.cairn.event.requireDeclared

/** The tables of one rank whose rows are objects, and may lead to each other. */
internal class LinkedRows(private val reached: ReachedObjects) {
    private val tables = mutableListOf<BoundObjects<*>>()

    /** While something looks at all tables, what it has seen. */
    private var seen: PresentTables? = null

    /** Whether rows lead to those of [table]. */
    fun isTarget(table: BoundObjects<*>) = tables.any { table in it.targets }

    fun isTargetOfOthers(table: BoundObjects<*>) = tables.any { it != table && table in it.targets }

    /** The rows that the program has in [table] now. */
    fun present(table: BoundObjects<*>): PresentRows = look().of(table)

    /** The rows of a [table] without a list to which others lead now. */
    fun met(table: BoundObjects<*>): List<Any> = look().met(table)

    private fun look() = seen ?: PresentTables(tables)

    /** While [look] looks at the tables, each list is read once. */
    inline fun <T> readOnce(look: (PresentTables) -> T): T {
        val all = PresentTables(tables).also { seen = it }
        try {
            return look(all)
        } finally {
            seen = null
        }
    }

    fun add(table: BoundObjects<*>) {
        tables += table
    }

    /** All tables have been declared: refuses references to what are no rows, and tables of which no row would be met. */
    fun requireTargets() {
        tables.forEach { it.requireTargets() }
        val met = tables.filterTo(LinkedHashSet()) { it.isListed }
        do {
            val isAll = !met.addAll(met.flatMap { it.targets })
        } while (!isAll)
        val lost = tables.find { it !in met } ?: return
        throw invalid(
            lost.name,
            "no rows lead to those of '${lost.name}', which have no list, so that none would be saved: declare the " +
                "function that returns their list, or leave out the table",
        )
    }

    private fun BoundObjects<*>.hasKindOf(table: BoundObjects<*>) =
        rowClass.kinds.any { kind -> table.rowClass.kinds.any { it.type == kind.type } }

    /** Refuses a row of this [table] to which fields lead, too, or that is one of a table that was declared before it. */
    fun requireOwnRows(table: BoundObjects<*>, rows: PresentRows) {
        requireNoConstants(table, rows)
        if (!reached.isEmpty) requireNotReached(table, rows)
        for (other in tables.takeWhile { it != table }.filter { it.hasKindOf(table) }) {
            val (row, first) = rows.firstIn(present(other)) ?: continue
            throw notStorable(
                table.name,
                "'${table.name}[$row]' is the same object as '${other.name}[$first]', and a restart would make two " +
                    "of it. Declare one list, and make the other one in afterRestore, or of numbers.",
            )
        }
    }

    /** Refuses a row that a constant of its class is, too, or of one above: a restart would make another row, and leave the constant. */
    private fun requireNoConstants(table: BoundObjects<*>, rows: PresentRows) {
        val types =
            table.rowClass.kinds
                .map { it.type }
                .filter { type -> rows.rows.any { it!!.javaClass == type } }
        for (holder in staticHoldersOf(types)) {
            if (!holder.isFinal || holder.held.javaClass !in types || mayBeTwo(holder.held)) continue
            val number = rows.numberOf(holder.held)
            if (number < 0) continue
            throw notStorable(
                table.name,
                "'${table.name}[$number]' ${holder.words}, and a restart would make two of it. Let a field that is " +
                    "not static hold it, or let null or an enum stand for it.",
            )
        }
    }

    private fun requireNotReached(table: BoundObjects<*>, rows: PresentRows) {
        for ((number, row) in rows.rows.withIndex()) {
            val path = row?.takeUnless { it.javaClass.isRecord }?.let(reached::pathTo) ?: continue
            throw notStorable(
                table.name,
                "'${table.name}[$number]' is the same object as '$path', and a restart would make two of it. Leave " +
                    "that path out of fields, and set it in afterRestore.",
            )
        }
    }

    /** Refuses a list that two rows hold, of this [table] or of one that was declared before it. */
    fun requireOwnLists(table: BoundObjects<*>, rows: Array<Any?>) {
        val before = tables.takeWhile { it != table }.filter { it.lists.isNotEmpty() }
        val earlier = before.flatMap { other -> other.lists.map { it to present(other).rows } }
        val all = earlier + table.lists.map { it to rows }
        val held = all.flatMap { (lists, holders) -> lists.changeable(holders) }.toTypedArray<Any?>()
        val numbers = RowNumbers(held)
        for (other in tables.filter { it.isListed }) {
            val list = present(other).list.takeIf { numbers.of(it) >= 0 } ?: continue
            throw notStorable(
                table.name,
                "${holdersOf(list, all).first()} is the list of the table '${other.name}' itself, and each would be " +
                    "another after a restart. Let the row have its own list, or except the field.",
            )
        }
        val inFields = if (reached.isEmpty) null else held.find { reached.pathTo(it!!) != null }
        if (inFields != null) {
            throw notStorable(
                table.name,
                "${holdersOf(inFields, all).first()} is the same object as '${reached.pathTo(inFields)}', and each " +
                    "would be another after a restart. Leave that path out of fields, and set it in afterRestore.",
            )
        }
        val twice = held.indices.find { numbers.of(held[it]!!) != it } ?: return
        val (first, second) = holdersOf(held[twice]!!, all)
        throw notStorable(
            table.name,
            "$second is the same object as $first, and each would have its own after a restart. Let each row have " +
                "its own.",
        )
    }

    private fun holdersOf(list: Any, all: List<Pair<RowLists, Array<Any?>>>): List<String> =
        all.flatMap { (lists, rows) ->
            lists.holdersOf(list, rows).map { "'${lists.table.name}[$it].${lists.field.name}'" }
        }

    /** The table to one of whose rows of a [type] the [field] of a row of [table] leads. */
    fun targetOf(table: BoundObjects<*>, field: GraphColumn, type: Class<*>): BoundObjects<*> {
        val found = tables.filter { other -> other.rowClass.kinds.any { type.isAssignableFrom(it.type) } }
        requireDeclared(found.isNotEmpty(), table.name) {
            "the ${table.rowClass.titleOf(field)} leads from rows of '${table.name}' to objects of ${type.name}, " +
                "which are rows of no table: declare a table of them, except the field, or let it be transient"
        }
        requireDeclared(found.size == 1, table.name) {
            "the ${table.rowClass.titleOf(field)} may lead from rows of '${table.name}' to those of " +
                "${found.joinToString(" and ") { "'${it.name}'" }}: let its type be that of one of them"
        }
        return found.single()
    }
}

/** While [look] looks at these items, each list of rows is read once. */
internal inline fun <T> Iterable<StateItem>.readingRowsOnce(look: (PresentTables?) -> T): T {
    val linked = linkedRows ?: return look(null)
    return linked.readOnce(look)
}

private val Iterable<StateItem>.linkedRows get() = firstNotNullOfOrNull { (it as? TableItem)?.linked }

/** Refuses captures of one save between which what a row holds in a list has changed: they would not fit. */
private fun List<Capture>.requireSameLists() {
    val read = HashMap<RowLists, LongArray>()
    for ((lists, checksums) in flatMap { it.listChecksums.entries }) {
        val row = read.getOrPut(lists) { checksums }.let { java.util.Arrays.mismatch(it, checksums) }
        if (row >= 0) throw lists.changed(row)
    }
}

/** The parts of one save, as [capture] makes them. Refuses rows that change meanwhile. */
internal fun List<StateItem>.captured(capture: (StateItem) -> Capture): List<Capture> =
    readingRowsOnce { tables ->
        tables?.forgetRestored()
        map(capture).also {
            tables?.requireSame()
            it.requireSameLists()
        }
    }
