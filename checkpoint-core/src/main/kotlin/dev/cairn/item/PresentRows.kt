package dev.cairn.item

import java.util.Collections
import java.util.IdentityHashMap

/** The rows that the program has in [tables] now. Each list is read once. */
internal class PresentTables(private val tables: List<BoundObjects<*>>) {
    private val read = HashMap<BoundObjects<*>, PresentRows>()
    private val allMet by lazy(::metRows)

    fun of(table: BoundObjects<*>): PresentRows =
        read.getOrPut(table) {
            table.presentRows(if (table.isListed) table.list() else table.inStoredOrder(met(table)))
        }

    /** The rows of a [table] without a list to which others lead now. */
    fun met(table: BoundObjects<*>): List<Any> = allMet.getValue(table).rows

    /** Refuses lists that have changed since they were read, where what is saved of several tables depends on them. */
    fun requireSame() {
        val now = PresentTables(tables)
        val changed = read.filter { (table, rows) -> table.isShared && !rows.isOf(now.of(table).rows) }.keys
        throw (changed.firstOrNull() ?: read.keys.find { !read.getValue(it).haveSameIds() } ?: return).changed()
    }

    /** What a restore that has failed has made is no state of the program. */
    fun forgetRestored() = tables.forEach { it.release() }

    /** The rows of tables without a list: those to which others lead, in the order in which they are met. */
    private fun metRows(): Map<BoundObjects<*>, MetRows> {
        val all = tables.filterNot { it.isListed }.associateWith { MetRows() }

        fun follow(table: BoundObjects<*>, row: Any, number: Int) =
            table.forEachMet(row, number) { link, found ->
                if (all.getValue(link.target).add(found)) link.target.requireFit(found, table, number, link)
            }
        for (table in tables) {
            if (table.isListed) of(table).rows.forEachIndexed { number, row -> follow(table, row!!, number) }
        }
        while (all.values.any { it.hasNext }) {
            for ((table, rows) in all) while (rows.hasNext) rows.next { row, number -> follow(table, row, number) }
        }
        return all
    }

    private class MetRows {
        val rows = ArrayList<Any>()
        private val known = Collections.newSetFromMap(IdentityHashMap<Any, Boolean>())
        private var followed = 0

        val hasNext get() = followed < rows.size

        fun add(row: Any) = known.add(row) && rows.add(row)

        inline fun next(use: (row: Any, number: Int) -> Unit) = use(rows[followed], followed++)
    }
}

/** The rows in a [list] that the program has now, as references are stored that lead there. */
internal class PresentRows(val list: List<Any?>, private val id: GraphColumn?) {
    val rows = list.toTypedArray()
    private val numbers by lazy { RowNumbers(rows) }
    private val isCounted =
        id != null && rows.all(id::isIn) && isCounted(rows.size) { id.bits(checkNotNull(rows[it])) }
    private val firstId = if (isCounted) id!!.bits(rows[0]!!) else 0

    /** Whether they are these very objects. */
    fun isOf(others: Array<Any?>) = rows.size == others.size && rows.indices.all { rows[it] === others[it] }

    /** Whether they have the ids by which references name them. Others than those that are counted are read when they are written. */
    fun haveSameIds() = !isCounted || rows.indices.all { id!!.bits(rows[it]!!) == firstId + it }

    /** Negative if it is none of them. */
    fun numberOf(row: Any): Int {
        if (!isCounted) return numbers.of(row)
        val number = if (id!!.isIn(row)) id.bits(row) - firstId else -1
        return if (number in rows.indices && rows[number.toInt()] === row) number.toInt() else numbers.of(row)
    }

    /** The first, records apart, that is there for the second time, and its first number; null if there is none, as where ids are counted. */
    fun firstTwice(): Pair<Int, Int>? = if (isCounted) null else first { at, number -> number != at }

    /** The first, records apart, that is also among [others], and its number there; null if there is none. */
    fun firstIn(others: PresentRows): Pair<Int, Int>? = others.first(rows) { _, number -> number >= 0 }

    private inline fun first(among: Array<Any?> = rows, isOne: (at: Int, number: Int) -> Boolean): Pair<Int, Int>? {
        for (at in among.indices) {
            val row = among[at].takeUnless { it == null || it.javaClass.isRecord } ?: continue
            val number = numberOf(row)
            if (isOne(at, number)) return at to number
        }
        return null
    }

    /** The ids of all of them, if they have some. */
    fun ids(): LongArray = LongArray(rows.size, ::codeOf)

    fun codeOf(number: Int): Long =
        if (isCounted || id == null) firstId + number else id.bits(checkNotNull(rows[number]))
}
