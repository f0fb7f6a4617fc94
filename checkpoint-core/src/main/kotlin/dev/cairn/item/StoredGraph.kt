package dev.cairn.item

import java.lang.Math.addExact

/** A graph as its bytes in a checkpoint, of which [input] reads the table at first. */
internal class StoredGraph(input: GraphInput) {
    private val source = GraphSource(input)
    val classes: List<GraphClass> get() = source.table.classes

    /** All that is stored, in memory; null if that is too large for it. */
    fun content(): GraphContent? {
        source.requireWhole()
        for (stored in classes) stored.requireConsistent(source.table.referenceSize)
        return if (source.table.byteCount > MOST_BYTES) null else StoredContent(source)
    }

    private companion object {
        const val MOST_BYTES = 1 shl 30
    }
}

private class StoredContent(private val source: GraphSource) : GraphContent {
    override val roots = source.table.roots
    override val count = source.objectCount
    private val groups = ArrayList<Group>()

    /** For each number, the index of its group. */
    private val groupIndices = IntArray(count + 1)

    init {
        source.table.classes.fold(1) { first, stored ->
            groupIndices.fill(groups.size, first, first + stored.count)
            groups += Group(stored, first)
            first + stored.count
        }
        groups.forEach { it.readMaking() }
        groups.forEach { it.readNeeded() }
        groups.forEach { it.readContent() }
        for (root in roots) source.requireNumber(root.number)
    }

    private inline fun <T> at(number: Int, read: Group.(index: Int) -> T): T =
        groups[groupIndices[number]].run { read(number - first) }

    override fun typeOf(number: Int): GraphType = at(number) { stored }

    override fun lengthOf(number: Int): Int = at(number) { if (stored.kind.isSized) parts.countOf(it) else 0 }

    override fun factOf(number: Int): Int = at(number) { facts.getOrElse(it) { 0 } }

    override fun bytesOf(number: Int): ByteArray = at(number) { bytes(parts.startOf(it), parts.countOf(it)) }

    override fun bitsOf(number: Int, field: Int): Long = at(number) { parts.bits[field][it] }

    override fun elementsOf(number: Int, from: Int, count: Int): ByteArray =
        at(number) { bytes(parts.startOf(it) + from, count) }

    override fun referencesOf(number: Int): IntArray =
        at(number) { if (stored.kind.isOfBytes) NONE else parts.numbersOf(it) }

    /** The objects of one class, from the number [first] on. */
    private inner class Group(val stored: GraphClass, val first: Int) {
        private val elementSize = elementOfArray(stored.name)?.size ?: 1
        private var elements = ByteArray(0)
        lateinit var facts: IntArray
        lateinit var parts: StoredParts

        fun bytes(from: Int, count: Int) = elements.copyOfRange(from * elementSize, (from + count) * elementSize)

        fun readMaking() {
            facts = source.takeFacts(stored)
            val lengths = source.takeLengths(stored)
            val each = stored.fields.count { it.element == null }
            parts = StoredParts(source, stored) { lengths.getOrElse(it) { each } }
            if (!stored.kind.isSized && stored.kind.isOfBytes) readElements()
        }

        fun readNeeded() {
            if (stored.kind == GraphKind.RECORD) parts.readColumns()
            if (stored.kind == GraphKind.CONTAINER) parts.readNumbers { 0 until minOf(needed, parts.countOf(it)) }
        }

        fun readContent() {
            if (stored.kind == GraphKind.NUMBERS) readElements()
            if (stored.kind == GraphKind.FIELDS) parts.readColumns()
            if (stored.kind == GraphKind.REFERENCES) parts.readNumbers { 0 until parts.countOf(it) }
            if (stored.kind == GraphKind.CONTAINER) {
                parts.readNumbers { minOf(needed, parts.countOf(it)) until parts.countOf(it) }
            }
        }

        private val needed get() = graphContainers.getValue(stored.name).needed

        private fun readElements() {
            elements = source.input.bytes(parts.startOf(stored.count) * elementSize).array()
        }
    }

    private companion object {
        val NONE = IntArray(0)
    }
}

/**
 * What the objects of one class hold, by their indices: the numbers of those to which they lead, and the bits of primitive fields.
 *
 * @param count how many parts an object has
 */
internal class StoredParts(private val source: GraphSource, private val stored: GraphClass, count: (Int) -> Int) {
    private val starts = IntArray(stored.count + 1)
    private val numbers: IntArray
    val bits = stored.fields.map { if (it.element == null) LongArray(0) else LongArray(stored.count) }

    init {
        for (index in 0 until stored.count) starts[index + 1] = addExact(starts[index], count(index))
        numbers = IntArray(if (stored.kind.isOfBytes) 0 else starts.last())
    }

    fun startOf(index: Int): Int = starts[index]

    fun countOf(index: Int): Int = starts[index + 1] - starts[index]

    fun numberAt(index: Int, part: Int): Int = numbers[starts[index] + part]

    fun numbersOf(index: Int): IntArray = numbers.copyOfRange(starts[index], starts[index + 1])

    /** Of each object those that [chosen] selects. */
    inline fun readNumbers(chosen: (index: Int) -> IntRange) {
        for (index in 0 until stored.count) {
            for (part in chosen(index)) numbers[starts[index] + part] = source.takeReference()
        }
    }

    fun readColumns() =
        source.forEachColumn(stored) { column, from, to ->
            val element = stored.fields[column].element
            val place = stored.fields.take(column).count { it.element == null }
            for (index in from until to) {
                if (element == null) numbers[starts[index] + place] = source.takeReference()
                if (element != null) bits[column][index] = source.input.take(element.size)
            }
        }
}
