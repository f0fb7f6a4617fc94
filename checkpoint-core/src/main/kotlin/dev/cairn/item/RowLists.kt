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
    override val type get() = reference.type
    override val form get() = ListForm(field.name)
    override val inWords get() = "how many there are"

    /** The held rows as they were stored, until a restart has made of them what the rows hold. */
    private var stored: Rows? = null

    /** What each of the [rows] holds; null for nothing. */
    private fun heldBy(rows: Array<Any?>): Array<Any?> =
        Array(rows.size) { number -> rows[number]?.takeIf(field::isIn)?.let { listIn(it, number) } }

    private fun listIn(row: Any, number: Int): Any? = field.get(row)?.also { requireComesBack(it, number) }

    private fun requireComesBack(held: Any, from: Int) {
        val flaw = shape.flawOf(held, field.type) ?: return
        throw notStorable(table.name, "'${table.name}[$from].${field.name}' is a ${held.javaClass.typeName}, $flaw.")
    }

    override fun heldBy(row: Any, number: Int): List<Any?> =
        listIn(row, number)?.let(shape::elementsOf).orEmpty().asList()

    override fun holding(row: Any): () -> Unit {
        val hold = super.holding(row)
        val held = field.get(row) ?: return hold
        val elements = shape.elementsOf(held)
        return {
            hold()
            val now = shape.elementsOf(held)
            val isSame = now.size == elements.size && now.indices.all { now[it] === elements[it] }
            @Suppress("UNCHECKED_CAST") // The elements were in it.
            when {
                isSame -> Unit
                held is Array<*> -> fill(name, held, elements)
                else -> fill(name, held as MutableCollection<Any?>, elements.asList())
            }
        }
    }

    override fun cells(rows: Array<Any?>): LinkedCells {
        val places = reference.Places(target.linked.present(target))
        val counts = IntArray(rows.size)
        val checksums = checksums(heldBy(rows), places) { row, held -> counts[row] = held?.size ?: NO_LIST }
        return LinkedCells(listOf(Cells.of(counts), Cells.of(checksums)), checksums = checksums)
    }

    /** Those of the lists that are [held], each of which is read once: [use] gets the [places] in it, or null if there is none. */
    private inline fun checksums(
        held: Array<Any?>,
        places: RowReference.Places,
        use: (row: Int, places: IntArray?) -> Unit,
    ) = LongArray(held.size) { row ->
        val all = held[row]?.let { placesIn(it, row, places) }
        use(row, all)
        if (all == null) 0 else checksum(all.size) { places.codeOf(all[it]) }
    }

    /** The [places] of what the row number [from] has in [held]. */
    private fun placesIn(held: Any, from: Int, places: RowReference.Places): IntArray {
        val elements = shape.elementsOf(held)
        val all = IntArray(elements.size) { places.of(elements[it], from, element = it) }
        if (shape != ListShape.SET) return all
        val met = HashSet<Int>()
        val twice = all.find { !met.add(it) } ?: return all
        throw notStorable(
            table.name,
            "'${table.name}[$from].${field.name}' has two objects with the ${target.ids} ${places.codeOf(twice)}, " +
                "and after a restart would have one. Let one object stand for a row on another rank.",
        )
    }

    /** Refuses a list that was another one, or had other rows, when the row number [from] was looked at again within a save. */
    fun changed(from: Int) =
        notStorable(
            table.name,
            "'${table.name}[$from].${field.name}' changed while it was saved. Let no thread and no function of the " +
                "state change what rows hold within a save.",
        )

    /** What the [rows] hold that can be changed, so that each row must hold another one. */
    fun changeable(rows: Array<Any?>): List<Any> = heldBy(rows).mapNotNull { held -> held?.takeUnless(shape::isFixed) }

    /** The numbers of those of the [rows] that hold [one]. */
    fun holdersOf(one: Any, rows: Array<Any?>): List<Int> =
        heldBy(rows).withIndex().filter { it.value === one }.map { it.index }

    /** The item of the held rows, which are where those of the [holder] are. */
    fun item(id: ItemName, holder: TableItem): TableItem {
        val rule = TableRule.Held(RowHolder(holder, field.name))
        return TableItem(id, HeldRows(id.today), rule, ids = null, ColumnChanges(id.today))
    }

    override fun valuesOf(stored: Rows): LinkedValues {
        val counts = stored.array(field.name) as IntArray
        val codes = this.stored?.array(HELD) as? LongArray ?: LongArray(0)
        this.stored = null
        val starts = startsOf(counts)
        if (starts.last() != codes.size) {
            throw notFitting(
                name,
                "the rows of '${table.name}' should hold ${starts.last()} in '${field.name}', but '$name' has " +
                    "${codes.size} in the checkpoint: restore it by the program that saved it.",
            )
        }
        val checksums = stored.array(ListForm.checksumOf(field.name)) as LongArray
        return LinkedValues { row ->
            if (counts[row] < 0) {
                null
            } else {
                checksums[row] = checkedSum(row, checksums[row], counts[row]) { codes[starts[row] + it] }
                shape.make(field.type, Array(counts[row]) { reference.find(codes[starts[row] + it], row) })
            }
        }
    }

    /** For the owners of [rows], lists in which nothing is yet. */
    fun emptyOnes(rows: Rows): LinkedValues {
        val counts = rows.array(field.name) as IntArray
        return LinkedValues { row -> if (counts[row] < 0) null else shape.make(field.type, arrayOfNulls(0)) }
    }

    /** That of the [count] rows that the row number [from] holds, which is refused if it is not the one [stored]; 0 stands for any. */
    private inline fun checkedSum(from: Int, stored: Long, count: Int, code: (Int) -> Long): Long {
        val found = checksum(count, code)
        if (stored == found || stored == 0L) return found
        throw notFitting(
            name,
            "'${table.name}[$from].${field.name}' should hold other rows than '$name' has for it in the checkpoint: " +
                "restore it by the program that saved it.",
        )
    }

    private inner class HeldRows(name: String) : TableSource<Row>(name) {
        override val forms = listOf(formOf(HELD, "rows of '$name'", Long::class.java, emptyMap()))
        override val linked get() = target.linked
        override val isLinked get() = true
        override val missingRule get() = this@RowLists.table.missingRule
        override val mayLeadAway get() = target.isElsewhere
        override val isOrdered get() = this@RowLists.table.isOrdered
        override val layout
            get() = mapOf(LAYOUT_REFERENCE + HELD to reference.inWords, LAYOUT_HOLDER to this@RowLists.table.name)

        override fun rows(): SavedRows {
            val held = heldBy(linked.present(this@RowLists.table).rows)
            val starts = startsOf(IntArray(held.size) { held[it]?.let(shape::sizeOf) ?: NO_LIST })
            val places = reference.Places(linked.present(target))
            val numbers = IntArray(starts.last())
            val checksums =
                checksums(held, places) { row, all ->
                    if ((all?.size ?: 0) != starts[row + 1] - starts[row]) throw changed(row)
                    all?.copyInto(numbers, starts[row])
                }
            val column = places.cells(numbers)
            val lists = mapOf(this@RowLists to checksums)
            return ReadRows(columns, column.cells, numbers.size, lists, listOfNotNull(column.away))
        }

        override fun held() = emptyList<Any?>()

        override fun keep(rows: Rows) {
            stored = rows
        }

        override fun give() = Unit

        /** The table compares what its rows hold. */
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

        /** Depends on the order; it is not 0. */
        inline fun checksum(count: Int, code: (Int) -> Long): Long {
            var sum = 1L
            for (at in 0 until count) {
                sum = (sum xor code(at)) * GOLDEN_STEP
                sum = sum xor (sum ushr Int.SIZE_BITS)
            }
            return if (sum == 0L) 1 else sum
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
