package dev.cairn.heap

/** A step on the way to a value: from an object, or 0 for a root of the program, by the [field] of this name; empty for an element. */
internal data class Edge(val holder: Long, val field: String)

/**
 * What the program declared, as far as a dump shows it. An item of Cairn's has a function that reads the program's state. What that has
 * captured is the value, a reference to a property, or the object of which it reads a field: which one is a guess by the item's name.
 */
internal class DeclaredState(private val side: Side) {
    private val dump = side.dump
    private val values = HashMap<Long, String>()
    private val properties = HashMap<Edge, String>()

    /** The items that read from an object; 0 for those that have captured nothing, as they begin at static fields. */
    private val readers = HashMap<Long, MutableSet<String>>()
    private val fieldNames by lazy { side.program.flatMap { it.fields + it.statics }.mapTo(HashSet()) { it.name } }

    init {
        dump.instances(::isItem).forEach(::followFunctions)
    }

    private fun isItem(type: HeapClass): Boolean {
        val owner = type.field("id")?.owner ?: return false
        return owner.name.startsWith(ITEMS)
    }

    private fun followFunctions(item: Int) {
        val id = dump.follow(item, "id")
        if (id == HeapDump.NONE) return
        val name = textOf(dump.bits(id, "today"))
        val seen = linkedSetOf(item)
        var isBound = false
        for (index in generateSequence(0) { it + 1 }.takeWhile { it < seen.size && it < MOST_SEEN }) {
            val number = seen.elementAt(index)
            val isPassed = number == item || (propertyOf(number) == null && isFunction(number))
            when {
                isPassed -> seen += capturedBy(number).filter { number != item || !isOwn(it) }
                else -> isBound = note(name, number) || isBound
            }
        }
        if (!isBound) readers.getOrPut(0, ::mutableSetOf) += name
    }

    /** Whether an item that has [field] keeps it for itself, such as a list of what it has checked. */
    private fun isOwn(field: Int) = dump.classOf(field).kind != ObjectKind.INSTANCE || side.contentOf(field) != null

    /** Whether the item [name] reads what is behind [captured]. */
    private fun note(name: String, captured: Int): Boolean {
        val property = propertyOf(captured)
        when {
            property != null -> properties[property] = name
            isOfProgram(captured) -> readers.getOrPut(dump.idOf(captured), ::mutableSetOf) += name
            isValue(captured) -> values[dump.idOf(captured)] = name
            else -> return false
        }
        return true
    }

    private fun textOf(string: Long): String {
        val number = dump.numberOf(string)
        return if (number == HeapDump.NONE) "" else with(Texts) { dump.string(number) }
    }

    private fun propertyOf(number: Int): Edge? {
        val type = dump.classOf(number)
        if (type.lineage.none { it.name in PROPERTIES }) return null
        return Edge(dump.bits(number, "receiver"), textOf(dump.bits(number, "name")))
    }

    private fun isFunction(number: Int): Boolean {
        val type = dump.classOf(number)
        val isNamedSo = type.isLambda || type.name == SLOT || ANONYMOUS.containsMatchIn(type.name)
        return type.kind == ObjectKind.INSTANCE && (isNamedSo || type.lineage.any { it.name.startsWith(FUNCTIONS) })
    }

    private fun capturedBy(function: Int): List<Int> {
        val references = dump.classOf(function).fields.filter { it.type == ValueType.REFERENCE }
        return references.map { dump.numberOf(dump.bits(function, it)) }.filter { it != HeapDump.NONE }
    }

    private fun isOfProgram(number: Int) = side.shapes.isProgram(dump.classOf(number))

    private fun isValue(number: Int): Boolean {
        val type = dump.classOf(number)
        return type.kind != ObjectKind.INSTANCE || type.name in Shapes.HOLDERS || side.contentOf(number) != null
    }

    /** @param way the steps to the value that differs, the last one first */
    fun noteOf(way: List<Edge>): Forgotten.Note {
        val item = way.firstNotNullOfOrNull(::itemOf)
        if (item != null) return Forgotten.Note.Declared(item)
        val perhaps = (way.map { it.holder } + 0L).distinct().flatMap(::unexplainedReaders)
        return if (perhaps.isEmpty()) Forgotten.Note.NeverDeclared else Forgotten.Note.PerhapsDeclared(perhaps)
    }

    private fun itemOf(edge: Edge): String? {
        val field = edge.field.removeSuffix("\$delegate")
        val reads = readers[edge.holder].orEmpty() + readers[0].orEmpty()
        return values[edge.holder] ?: properties[Edge(edge.holder, field)] ?: reads.find { lastName(it) == field }
    }

    /** Without those that have the name of another field. */
    private fun unexplainedReaders(holder: Long): List<String> {
        val number = dump.numberOf(holder)
        return readers[holder].orEmpty().filter {
            if (number ==
                HeapDump.NONE
            ) {
                lastName(it) !in fieldNames
            } else {
                dump.classOf(number).field(lastName(it)) == null
            }
        }
    }

    private fun lastName(item: String) = item.substringAfterLast('.')

    private companion object {
        const val ITEMS = "dev.cairn.item."
        const val SLOT = "dev.cairn.item.Slot"
        const val FUNCTIONS = "kotlin.jvm.internal."
        val PROPERTIES = setOf("PropertyReference", "MutablePropertyReference").map { "kotlin.jvm.internal.$it" }
        val ANONYMOUS = Regex("""\$\d+$""")
        const val MOST_SEEN = 100
    }
}
