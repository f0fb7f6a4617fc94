package dev.cairn.item

import dev.cairn.redistribution.Cells
import dev.cairn.state.PropertyChanges
import dev.cairn.store.ManifestItem

/**
 * A [field] of the rows of [table] that holds rows in a list, a set or an array. Its column has the number of these, or -1 for null. The
 * held rows are an item of their own: one behind another, each as a [reference] is stored.
 */
internal class RowLists(
    val table: BoundObjects<*>,
    override val field: GraphColumn,
    private val shape: ListShape,
    private val reference: RowReference,
) : RowLink {
    val name get() = "${table.name}.${field.name}"

    override val target get() = reference.target
    override val none get() = NO_LIST
    override val empty get() = 0
    override val cellType: Class<*> get() = Int::class.java
    override val inWords get() = "how many there are"

    /** While a restore lasts, the held rows as they were stored. */
    private var stored: Rows? = null

    /** What each of the [rows] holds; null for nothing. */
    private fun heldBy(rows: Array<Any?>): Array<Any?> =
        Array(rows.size) { number ->
            rows[number]?.takeIf(field::isIn)?.let(field::get)?.also { requireComesBack(it, number) }
        }

    private fun requireComesBack(held: Any, from: Int) {
        val flaw = shape.flawOf(held, field.type) ?: return
        throw notStorable(table.name, "'${table.name}[$from].${field.name}' is a ${held.javaClass.typeName}, $flaw.")
    }

    override fun cells(rows: Array<Any?>, presentIn: (BoundObjects<*>) -> PresentRows): Cells =
        Cells.of(heldBy(rows).let { held -> IntArray(held.size) { at -> held[at]?.let(shape::sizeOf) ?: NO_LIST } })

    /** What the [rows] hold that can be changed, so that each row must hold another one. */
    fun changeable(rows: Array<Any?>): List<Any> = heldBy(rows).mapNotNull { held -> held?.takeUnless(shape::isFixed) }

    /** The numbers of those of the [rows] that hold [one]. */
    fun holdersOf(one: Any, rows: Array<Any?>): List<Int> =
        heldBy(rows).withIndex().filter { it.value === one }.map { it.index }

    /** The item of the held rows. */
    fun item(id: ItemName) = TableItem(id, HeldRows(id.today), TableRule.Refuse, ids = null, ColumnChanges(id.today))

    override fun valuesOf(stored: Rows): (row: Int) -> Any? {
        val counts = stored.array(field.name) as IntArray
        val codes = this.stored?.array(HELD) as? LongArray ?: LongArray(0)
        val starts = startsOf(counts)
        if (starts.last() != codes.size) {
            throw notFitting(
                name,
                "the rows of '${table.name}' should hold ${starts.last()} in '${field.name}', but '$name' has " +
                    "${codes.size} in the checkpoint: restore it by the program that saved it.",
            )
        }
        return { row ->
            if (counts[row] < 0) {
                null
            } else {
                shape.make(field.type, Array(counts[row]) { reference.find(codes[starts[row] + it], row) })
            }
        }
    }

    /** What the rows hold now in the place of what was stored, if each holds as many, as the end of a sentence; null if it is the same. */
    fun difference(): String? =
        stored?.let { HeldRows(name).rows().firstDifference(it) }?.let { (row) -> "row $row of '$name' is another one" }

    fun release() {
        stored = null
    }

    private inner class HeldRows(name: String) : TableSource<Row>(name) {
        override val forms = listOf(formOf(HELD, "rows of '$name'", Long::class.java, emptyMap()))
        override val isLinked get() = true
        override val layout get() = mapOf(LAYOUT_REFERENCE + HELD to reference.inWords)

        override fun rows(): SavedRows {
            val holders = this@RowLists.table.presentRows()
            val held = heldBy(holders.rows)
            val starts = startsOf(IntArray(held.size) { held[it]?.let(shape::sizeOf) ?: NO_LIST })
            val present = if (target === this@RowLists.table) holders else target.presentRows()
            val numbers = IntArray(starts.last())
            held.forEachIndexed { row, list ->
                list?.let(shape::elementsOf)?.forEachIndexed { at, one ->
                    numbers[starts[row] + at] = reference.numberOf(one, present, row)
                }
            }
            val seen = mapOf(this@RowLists.table to holders, target to present)
            return ReadRows(columns, listOf(reference.cells(numbers, present)), numbers.size, seen)
        }

        override fun held() = emptyList<Any?>()

        override fun keep(rows: Rows) {
            stored = rows
        }

        override fun give() = Unit

        /** The table compares them, and releases them. */
        override fun difference(): String? = null

        override fun release() = Unit

        override fun reader(rows: Rows): (Int) -> Row = error("the rows of '$table' have no owner: please report this")

        override fun requireStoredAlike(stored: ManifestItem, columns: ColumnChanges, changes: PropertyChanges) =
            reference.requireStoredAlike(name, HELD, stored.layout[LAYOUT_REFERENCE + HELD], changes)
    }

    private companion object {
        const val NO_LIST = -1

        /** Where each list begins if they stand one behind another, and at last where they end. */
        fun startsOf(counts: IntArray): IntArray =
            IntArray(counts.size + 1).also { starts ->
                counts.forEachIndexed { at, count -> starts[at + 1] = Math.addExact(starts[at], maxOf(count, 0)) }
            }

        /** The column of the held rows. */
        const val HELD = "row"
    }
}

/** The lists, sets or arrays that a field may hold. */
internal enum class ListShape(private val kinds: List<Class<*>>, private val made: String) {
    /** As which unchanging ones and those of a fixed size come back, too. */
    LIST(listOf(List::class.java, Collection::class.java, ArrayList::class.java), "an ArrayList"),

    /** In the order in which they were put in. */
    SET(listOf(Set::class.java, LinkedHashSet::class.java), "a LinkedHashSet"),

    ARRAY(emptyList(), "an array of the type of the field"),
    ;

    fun sizeOf(held: Any): Int = if (held is Array<*>) held.size else (held as Collection<*>).size

    fun elementsOf(held: Any): Array<*> = if (held is Array<*>) held else (held as Collection<*>).toTypedArray()

    /** Whether no one can change what it holds, so that it does not matter whether two fields hold one. */
    fun isFixed(held: Any) = isUnchanging(held) || (held is Array<*> && held.isEmpty())

    /** Why one like [held] would not come back in a field of the class [type], as the end of a sentence; null if it would. */
    fun flawOf(held: Any, type: Class<*>): String? {
        val comesBack =
            when (this) {
                LIST -> {
                    held.javaClass == ArrayList::class.java ||
                        (held is List<*> && (isFixed(held) || isOfFixedSize(held)))
                }

                SET -> {
                    // A larger one that cannot change has another order in each run.
                    held.javaClass == LinkedHashSet::class.java || (held is Set<*> && isFixed(held) && held.size <= 1)
                }

                ARRAY -> {
                    held.javaClass == type
                }
            }
        if (!comesBack) return "which would not come back as such: let it be $made"
        val hashed = if (this == SET) elementsOf(held).find { it != null && !hasIdentityHash(it) } else null
        return hashed?.let {
            "with a ${it.javaClass.name}, whose hashCode may read what is not saved: let the field be a list"
        }
    }

    @Suppress("UNCHECKED_CAST") // An array of the component type of the field.
    fun make(type: Class<*>, elements: Array<Any?>): Any =
        when (this) {
            LIST -> ArrayList<Any?>(elements.asList())
            SET -> LinkedHashSet<Any?>(elements.asList())
            ARRAY -> java.util.Arrays.copyOf(elements, elements.size, type as Class<Array<Any?>>)
        }

    companion object {
        /** Of a field of this [type]; null if it is of none. */
        fun of(type: Class<*>): ListShape? = if (type.isArray) ARRAY else values().find { type in it.kinds }
    }
}
