package dev.cairn.item

import dev.cairn.event.fullLine
import java.io.ByteArrayOutputStream
import java.io.ObjectOutputStream
import java.io.ObjectStreamClass
import java.io.OutputStream
import java.nio.ByteBuffer

/**
 * What the documented serialized form of a collection of the JDK says and no method does: the size of a hash table, the order of a
 * LinkedHashMap, what a wrapper is around. Elements are written as null, and descriptions of classes as nothing.
 */
internal object SerializedForm {
    private val OUTPUT = ThreadLocal.withInitial { FormOutput(EndsOfBytes()) }

    /** What [ask] finds in the form of [found]. Then nothing is kept of it. */
    private inline fun <R> written(found: Any, ask: FormOutput.() -> R): R =
        try {
            OUTPUT.get().run { write(found).ask().also { forget() } }
        } catch (failure: Exception) {
            OUTPUT.remove() // It is within an object.
            throw GraphRefusal("is around what cannot be asked for: it threw ${failure.fullLine()}")
        }

    /** The capacity of a HashMap or a HashSet, which is a power of two, as its exponent. */
    fun capacityOf(table: Any): Int {
        val head = written(table) { head }
        val (capacity, loadFactor) = if (table is Map<*, *>) MAP_CAPACITY to 0 else SET_CAPACITY to SET_LOAD_FACTOR
        val factor = head.getFloat(DATA_START + loadFactor)
        if (factor != LOAD_FACTOR) throw GraphRefusal("has the load factor $factor, which is not kept", "use 0.75")
        return head.getInt(DATA_START + capacity).countTrailingZeroBits()
    }

    fun isInAccessOrder(map: LinkedHashMap<*, *>): Boolean = written(map) { last.toInt() == 1 }

    /** Whether a [wrapper] is around a list, set or map of `List.of` and its like, in whose place others are written. */
    fun hidesList(wrapper: Any): Boolean = written(wrapper) { held[0].javaClass.name == "java.util.CollSer" }

    /** The object that a [wrapper] is around. One that has others written in its place has another one each time. */
    fun wrappedIn(wrapper: Any): Any {
        val (held, again) = List(2) { written(wrapper) { held.toList() } }
        if (held[0] !== again[0]) throw GraphRefusal("hides what it is around, as an EnumSet or a Map.of", UNWRAPPED)
        if (held.any { it !== held[0] }) throw GraphRefusal("is locked by another object than itself")
        return held[0]
    }

    fun keyTypeOf(map: Any): Class<*> = written(map) { classes.first { it.isEnum } }

    private const val UNWRAPPED = "hold that without the wrapper, or a copy of it"

    /** Behind the marks of the object and of the description of its class. */
    private const val DATA_START = 4
    private const val MAP_CAPACITY = 10
    private const val SET_CAPACITY = 2
    private const val SET_LOAD_FACTOR = 6
    private const val LOAD_FACTOR = 0.75f
}

/** Writes one object at a time into [ends], and keeps what it leads to instead of writing that. */
private class FormOutput(private val ends: EndsOfBytes) : ObjectOutputStream(ends) {
    val held = ArrayList<Any>()
    val classes = ArrayList<Class<*>>()
    private var isWithin = false

    val head: ByteBuffer get() = ByteBuffer.wrap(ends.head.toByteArray())
    val last: Byte get() = ends.last

    init {
        enableReplaceObject(true)
        forget()
    }

    fun write(subject: Any): FormOutput {
        isWithin = false
        writeObject(subject)
        flush()
        return this
    }

    fun forget() {
        held.clear()
        classes.clear()
        reset()
        flush()
        ends.head.reset()
    }

    /** The first one is the subject, or what stands for it in its serialized form. */
    override fun replaceObject(found: Any): Any? {
        if (!isWithin) return found.also { isWithin = true }
        if (held.size < MOST_HELD) held += found
        return null
    }

    override fun writeClassDescriptor(described: ObjectStreamClass) {}

    override fun annotateClass(type: Class<*>) {
        classes += type
    }
}

/** Keeps the first bytes that are written, and the last one. */
private class EndsOfBytes : OutputStream() {
    val head = ByteArrayOutputStream()
    var last: Byte = 0
        private set

    override fun write(byte: Int) = write(byteArrayOf(byte.toByte()), 0, 1)

    override fun write(bytes: ByteArray, offset: Int, count: Int) {
        if (count == 0) return
        head.write(bytes, offset, minOf(count, MOST_HEAD - head.size()))
        last = bytes[offset + count - 1]
    }
}

private const val MOST_HELD = 4
private const val MOST_HEAD = 64
