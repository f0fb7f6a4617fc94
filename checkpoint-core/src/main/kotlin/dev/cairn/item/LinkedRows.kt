package dev.cairn.item

import dev.cairn.event.requireDeclared

/** The tables of one rank whose rows are objects, and may lead to each other. */
internal class LinkedRows {
    private val tables = mutableListOf<BoundObjects<*>>()

    /** Whether a restore must keep its rows until those of all tables are there. */
    val isAny get() = tables.any { it.isLinked }

    fun add(table: BoundObjects<*>) {
        tables += table
    }

    /** All tables have been declared: refuses references to what are no rows. */
    fun requireTargets() = tables.forEach { it.requireTargets() }

    private fun BoundObjects<*>.hasKindOf(table: BoundObjects<*>) =
        rowClass.kinds.any { kind -> table.rowClass.kinds.any { it.type == kind.type } }

    /** Refuses a row of this [table] that is one of a table that was declared before it, too. */
    fun requireOwnRows(table: BoundObjects<*>, rows: PresentRows) {
        for (other in tables.takeWhile { it != table }.filter { it.hasKindOf(table) }) {
            val (row, first) = rows.firstIn(other.presentRows()) ?: continue
            throw notStorable(
                table.name,
                "'${table.name}[$row]' is the same object as '${other.name}[$first]', and a restart would make two " +
                    "of " +
                    "it. Declare one list, and make the other one in afterRestore, or of numbers.",
            )
        }
    }

    /** Refuses a list that two rows hold, of this [table] or of one that was declared before it. */
    fun requireOwnLists(table: BoundObjects<*>, rows: Array<Any?>) {
        val before = tables.takeWhile { it != table }.filter { it.lists.isNotEmpty() }
        val earlier = before.flatMap { other -> other.currentRows().let { rows -> other.lists.map { it to rows } } }
        val all = mutableListOf<Pair<RowLists, PresentRows>>()
        for ((lists, holders) in earlier + table.lists.map { it to rows }) {
            val held = lists.changeable(holders)
            requireNoTable(lists, held)
            held.firstTwice()?.let { (row, first) -> throw heldTwice(lists, row, lists, first) }
            for ((others, theirs) in all) {
                held.firstIn(theirs)?.let { (row, first) -> throw heldTwice(lists, row, others, first) }
            }
            all += lists to held
        }
    }

    private fun requireNoTable(lists: RowLists, held: PresentRows) {
        for (other in tables) {
            val row = held.numberOf(other.ownList() ?: continue)
            if (row < 0) continue
            throw notStorable(
                lists.table.name,
                "'${lists.table.name}[$row].${lists.field.name}' is the list of the table '${other.name}' itself, " +
                    "and " +
                    "each would be another after a restart. Let the row have its own list, or except the field.",
            )
        }
    }

    private fun heldTwice(lists: RowLists, row: Int, others: RowLists, first: Int) =
        notStorable(
            lists.table.name,
            "'${lists.table.name}[$row].${lists.field.name}' is the same object as " +
                "'${others.table.name}[$first].${others.field.name}', and each would have its own after a restart. " +
                "Let " +
                "each row have its own.",
        )

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

/** What a restore does with rows that lead to each other, in this order; each step for all tables before the next one. */
internal enum class LinkStep {
    /** The fields of the objects are set. */
    LINK,

    /** The program gets its lists. */
    GIVE,

    /** The program has what was saved. */
    CHECK,
}
