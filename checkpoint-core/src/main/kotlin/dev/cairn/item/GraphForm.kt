package dev.cairn.item

import dev.cairn.event.utf8Of
import dev.cairn.redistribution.CellDigester
import dev.cairn.redistribution.Cells
import dev.cairn.state.ArrayKind
import dev.cairn.state.ElementType
import dev.cairn.state.elementTypeOf
import dev.cairn.state.unwrapped
import sun.reflect.ReflectionFactory
import java.lang.reflect.Field
import java.nio.ByteBuffer
import java.util.IdentityHashMap
import java.util.concurrent.ConcurrentHashMap
import java.lang.reflect.Array as AnyArray

/** How objects of the class [type] are stored and made again. */
internal sealed class GraphForm(override val kind: GraphKind, val type: Class<*>) : GraphType {
    override val name: String get() = type.name

    open val columns: List<GraphColumn> get() = emptyList()

    final override val fields by lazy { columns.map { it.described } }

    /** Whether it matters that two places hold the same object. */
    open val isOwned get() = kind != GraphKind.VALUE && kind != GraphKind.CONSTANT

    /** Whether there are objects of a class of the program, which is initialized then. */
    val hasProgramClass get() = kind in WITH_OWN_CLASS && !isOfLibrary(type)

    val references by lazy { columns.filter { it.element == null } }

    /** When a restart gives the objects their content. */
    open val stage: GraphStage get() = GraphStage.MADE

    /** Of a value, or of the name of a constant; null of other objects. */
    open fun encoded(found: Any): ByteArray? = null

    /** Calls [visit] with each object, or null, to which [holder] leads. */
    open fun forEach(holder: Any, visit: GraphVisitor) {}

    private companion object {
        val WITH_OWN_CLASS = setOf(GraphKind.FIELDS, GraphKind.RECORD, GraphKind.CONSTANT)
    }
}

internal fun interface GraphVisitor {
    fun visit(found: Any?)
}

/** In the order in which a restart completes objects: what one needs is of an earlier stage, or is made and not complete. */
internal enum class GraphStage { MADE, BUILT, SET, FILLED, HASHED, ORDERED }

/** Stored as the bytes that [encode] gives; it leads to no other object. */
internal class ValueForm(
    type: Class<*>,
    override val name: String = type.name,
    private val encode: (Any) -> ByteArray,
    val decode: (ByteBuffer) -> Any,
) : GraphForm(GraphKind.VALUE, type) {
    override var isOwned = false

    override fun encoded(found: Any) = encode(found)
}

/** An object that the program has by a name: a constant of an enum, one in a static final field of its class, a class. */
internal class ConstantForm(
    type: Class<*>,
    private val nameOf: (Any) -> String,
    val find: (String) -> Any?,
    override val name: String = type.name,
) : GraphForm(GraphKind.CONSTANT, type) {
    override fun encoded(found: Any) = utf8Of(nameOf(found))

    companion object {
        /** In the place of the names of classes, none of which has such a name. */
        const val OUTSIDE = "(outside)"
    }
}

/** Objects with fields; those of a record are its components. */
internal class FieldsForm(type: Class<*>, override val columns: List<GraphColumn>) :
    GraphForm(if (type.isRecord) GraphKind.RECORD else GraphKind.FIELDS, type) {
    private val empty by lazy {
        ReflectionFactory.getReflectionFactory().newConstructorForSerialization(
            type,
            Any::class.java.getDeclaredConstructor(),
        )
    }

    private val canonical by lazy {
        val components = type.recordComponents
        type.getDeclaredConstructor(*components.map { it.type }.toTypedArray()).apply { isAccessible = true }
    }

    /** For each parameter of the constructor of a record, its column. */
    val parameters: List<Int> by lazy {
        type.recordComponents.map { component -> columns.indexOfFirst { it.name == component.name } }
    }

    override val stage get() = if (type.isRecord) GraphStage.BUILT else GraphStage.SET

    override fun forEach(holder: Any, visit: GraphVisitor) {
        for (column in references) visit.visit(column.get(holder))
    }

    /** Without calling a constructor of its class. */
    fun makeEmpty(): Any = empty.newInstance()

    fun makeRecord(arguments: Array<Any?>): Any = unwrapped { canonical.newInstance(*arguments) }
}

/** A field of a class. A primitive one is its bits in a long, those of a NaN unchanged. */
internal open class GraphColumn(private val declared: Field) {
    /** Null if it holds references. */
    val element: ElementType? = elementTypeOf(declared.type.name)
    val type: Class<*> = declared.type
    val name: String get() = declared.name
    val described = GraphField(declared.declaringClass.name, declared.name, declared.type.name)

    /** Only the constructor of a record sets it. */
    open val isOfRecord: Boolean = declared.declaringClass.isRecord

    /** Whether the class of [holder] has it. */
    open fun isIn(holder: Any?): Boolean = declared.declaringClass.isInstance(holder)

    /** Whether it can be set in [holder]. */
    fun isOpenIn(holder: Any): Boolean = isIn(holder) && !(isOfRecord && holder.javaClass.isRecord)

    open fun get(holder: Any): Any? = declared.get(holder)

    open fun set(holder: Any, value: Any?) = declared.set(holder, value)

    /** Sets it in those of the [holders] that have it, and are no records, to the elements of an array. */
    open fun setAll(holders: List<Any>, values: Any) {
        if (isOfRecord) return
        when (values) {
            is DoubleArray -> forEach(holders) { holder, at -> declared.setDouble(holder, values[at]) }
            is IntArray -> forEach(holders) { holder, at -> declared.setInt(holder, values[at]) }
            is LongArray -> forEach(holders) { holder, at -> declared.setLong(holder, values[at]) }
            else -> forEach(holders) { holder, at -> declared.set(holder, AnyArray.get(values, at)) }
        }
    }

    private inline fun forEach(holders: List<Any>, set: (holder: Any, at: Int) -> Unit) {
        for (at in holders.indices) holders[at].let { if (isIn(it)) set(it, at) }
    }

    /** Null if several classes have such a field each. */
    protected open val single: Field? get() = declared

    private val mask = if (element == null) 0 else -1L ushr (Long.SIZE_BITS - Byte.SIZE_BITS * element.size)

    open fun bits(holder: Any): Long =
        when (element) {
            ElementType.DOUBLE -> declared.getDouble(holder).toRawBits()
            ElementType.INT -> declared.getInt(holder).toLong()
            ElementType.LONG -> declared.getLong(holder)
            else -> bitsOf(declared.get(holder))
        }

    /** Its bits in [holders]; 0 in those that do not have it. */
    fun bitsIn(holders: Array<Any?>) =
        CellDigester.Load { line, place, offset, count ->
            // All are looked at before the first is read: so the processor waits for many of them at once.
            val isInAll = (offset until offset + count).fold(true) { isSo, at -> isIn(holders[at]) && isSo }
            if (isInAll) {
                readBits(holders, line, place, offset, count)
            } else {
                for (at in 0 until count) {
                    line[place + at] = holders[offset + at]!!.let { if (isIn(it)) bits(it) and mask else 0 }
                }
            }
        }

    private fun readBits(holders: Array<Any?>, line: LongArray, place: Int, offset: Int, count: Int) {
        val field = single
        when (field?.type) {
            Double::class.java -> fill(line, place, count) { field.getDouble(holders[offset + it]).toRawBits() }
            Int::class.java -> fill(line, place, count) { field.getInt(holders[offset + it]).toLong() and mask }
            Long::class.java -> fill(line, place, count) { field.getLong(holders[offset + it]) }
            else -> fill(line, place, count) { bits(holders[offset + it]!!) and mask }
        }
    }

    private inline fun fill(line: LongArray, place: Int, count: Int, bits: (at: Int) -> Long) {
        for (at in 0 until count) line[place + at] = bits(at)
    }

    fun setBits(holder: Any, bits: Long) =
        when (element) {
            ElementType.DOUBLE -> declared.setDouble(holder, Double.fromBits(bits))
            ElementType.INT -> declared.setInt(holder, bits.toInt())
            ElementType.LONG -> declared.setLong(holder, bits)
            else -> declared.set(holder, element?.boxed(bits))
        }
}

/** Fields of one name and type in several classes, of which an object has one. */
internal class SharedColumn(first: Field) : GraphColumn(first) {
    private val all = arrayListOf(GraphColumn(first))

    override val isOfRecord get() = all.any { it.isOfRecord }
    override val single get() = null

    fun add(field: Field) {
        all += GraphColumn(field)
    }

    private fun of(holder: Any) = all.first { it.isIn(holder) }

    override fun isIn(holder: Any?) = all.any { it.isIn(holder) }

    override fun get(holder: Any) = of(holder).get(holder)

    override fun set(holder: Any, value: Any?) = of(holder).set(holder, value)

    override fun setAll(holders: List<Any>, values: Any) = all.forEach { it.setAll(holders, values) }

    override fun bits(holder: Any) = of(holder).bits(holder)
}

internal fun bitsOf(box: Any): Long =
    when (box) {
        is Boolean -> if (box) 1 else 0
        is Char -> box.code.toLong()
        is Float -> box.toRawBits().toLong()
        is Double -> box.toRawBits()
        else -> (box as Number).toLong()
    }

internal fun ElementType.boxed(bits: Long): Any =
    when (this) {
        ElementType.BOOLEAN -> bits and 1 != 0L
        ElementType.BYTE -> bits.toByte()
        ElementType.SHORT -> bits.toShort()
        ElementType.CHAR -> bits.toInt().toChar()
        ElementType.INT -> bits.toInt()
        ElementType.LONG -> bits
        ElementType.FLOAT -> Float.fromBits(bits.toInt())
        ElementType.DOUBLE -> Double.fromBits(bits)
    }

internal class NumbersForm<A : Any>(type: Class<*>, private val arrays: ArrayKind<A>) :
    GraphForm(GraphKind.NUMBERS, type) {
    override val stage get() = GraphStage.SET

    fun make(length: Int): Any = arrays.create(length)

    @Suppress("UNCHECKED_CAST") // An array of this form.
    fun cellsOf(array: Any): Cells = arrays.cells(array as A)
}

internal class ReferencesForm(type: Class<*>) : GraphForm(GraphKind.REFERENCES, type) {
    override val stage get() = GraphStage.SET

    override fun forEach(holder: Any, visit: GraphVisitor) {
        for (element in holder as Array<*>) visit.visit(element)
    }
}

/**
 * A collection of the JDK, or what else holds objects there.
 *
 * @property needed how many of its parts must be there to make it, [ALL] of them if nothing can be put in later
 * @property parts all that it holds, in a fixed order
 * @property make of the needed parts, and of the facts
 * @property fill puts the other parts in
 * @property facts what else it is made from, as a number
 */
internal class ContainerForm(
    type: Class<*>,
    override val stage: GraphStage,
    val needed: Int,
    val parts: (Any) -> Array<Any?>,
    val make: (Array<Any?>, Int) -> Any,
    val fill: (Any, Array<Any?>) -> Unit = { _, _ -> },
    val facts: ((Any) -> Int)? = null,
) : GraphForm(GraphKind.CONTAINER, type) {
    private val isMap = Map::class.java.isAssignableFrom(type)

    /** Whether its elements stand where their hashes, or their addresses, put them. */
    val isOrderedByHash = type in ORDERED_BY_HASH

    /** Whether its size, which decides the order, does not show. */
    val growsByItself = type == ConcurrentHashMap::class.java

    /** Whether they stand where a number of the run puts them. */
    val isOrderedByRun = name in ORDERED_BY_RUN

    /** How many parts an element has: a key has a value behind it. */
    val stride = if (isMap) 2 else 1

    /** The index of the first element among the parts. */
    val firstKey = if (needed == ALL) 0 else needed

    /** Whether nothing can be put in later. */
    val isMadeAtOnce get() = needed == ALL

    fun factOf(found: Any): Int = facts?.invoke(found) ?: 0

    /** Those of a map, or the elements. */
    fun keysIn(parts: Array<Any?>): List<Any> = (firstKey until parts.size step stride).mapNotNull { parts[it] }

    fun hasKey(table: Any, key: Any): Boolean = key in (if (table is Map<*, *>) table.keys else table as Collection<*>)

    override fun forEach(holder: Any, visit: GraphVisitor) {
        for (part in parts(holder)) visit.visit(part)
    }

    /** How a part stands in a path. Of a map, a value is named by its key if that is one [with a text][textOf]. */
    fun step(index: Int, textOf: (index: Int) -> String?): String {
        val element = index - firstKey
        return when {
            element < 0 -> ".comparator"
            !isMap -> "[$element]"
            element % 2 == 0 -> ".keys[${element / 2}]"
            else -> textOf(index - 1)?.let { "[$it]" } ?: ".values[${element / 2}]"
        }
    }

    companion object {
        const val ALL = Int.MAX_VALUE
        private val ORDERED_BY_HASH =
            setOf(HashMap::class.java, HashSet::class.java, ConcurrentHashMap::class.java, IdentityHashMap::class.java)
        private val ORDERED_BY_RUN =
            listOf("Set12", "SetN", "MapN").map { "java.util.ImmutableCollections$$it" } +
                IdentityHashMap::class.java.name
    }
}
