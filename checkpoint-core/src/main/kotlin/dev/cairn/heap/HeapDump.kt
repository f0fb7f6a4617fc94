package dev.cairn.heap

import java.nio.file.Path

/**
 * A dump of a heap in the format HPROF, as HotSpot writes it. Objects are numbered in their order in the dump; what a reference holds is
 * an id. Memory: 20 to 28 bytes for each object, and the windows of [bytes].
 */
internal class HeapDump(private val path: Path, val bytes: DumpBytes, parsed: DumpReading) : AutoCloseable {
    private val positions = parsed.positions
    private val byId: Map<Long, HeapClass> = parsed.linkedClasses()
    private val arraysOfNumbers = ValueType.entries.map(::arrayOf)
    val classes: List<HeapClass> = byId.values.sortedBy { it.number } + arraysOfNumbers
    private val classNumbers = IntArray(positions.size)
    private val objects: ObjectTable

    val count: Int get() = positions.size
    val threads: List<HeapThread> = parsed.threads()

    init {
        for (number in positions.indices) classNumbers[number] = requiredClass(number).number
        objects = ObjectTable(bytes, positions)
    }

    private fun arrayOf(type: ValueType) =
        HeapClass(byId.size + type.ordinal, "[${type.descriptor}", 0, null, emptyList(), emptyList())

    /** Its fields lie where the class says, and its elements are of the kind that the name of the class says. */
    private fun requiredClass(number: Int): HeapClass {
        val at = positions[number]
        val kind = ObjectKind.of(bytes.byte(at))
        if (kind == ObjectKind.PRIMITIVES) {
            return arraysOfNumbers[checkNotNull(ValueType.of(bytes.byte(at + ELEMENT_TYPE))).ordinal]
        }
        val classId = bytes.long(at + if (kind == ObjectKind.INSTANCE) CLASS else ARRAY_CLASS)
        val type = byId[classId] ?: throw flawOf(number, "an object without a class")
        if (type.kind != kind) throw flawOf(number, "an object whose class is $type, and which is none of its kind")
        val found = bytes.int(at + INSTANCE_BYTES)
        if (kind == ObjectKind.INSTANCE && found < type.instanceSize) {
            throw flawOf(number, "an object of $type with $found bytes instead of ${type.instanceSize}")
        }
        return type
    }

    /** The class that is this object; null if it is another object. */
    fun classObject(id: Long): HeapClass? = byId[id]

    /** The number of an object; [NONE] if it is a class, or not in the dump. */
    fun numberOf(id: Long): Int = objects.find(id)

    fun idOf(number: Int): Long = bytes.long(positions[number] + ID)

    fun classOf(number: Int): HeapClass {
        if (number == NONE) throw UnreadableDump(path, 0, "a collection of the JDK lacks a part")
        return classes[classNumbers[number]]
    }

    fun kindOf(number: Int): ObjectKind = classOf(number).kind

    /** The instances of classes that are [wanted]. */
    fun instances(wanted: (HeapClass) -> Boolean): List<Int> {
        val isWanted = BooleanArray(classes.size) { classes[it].kind == ObjectKind.INSTANCE && wanted(classes[it]) }
        return if (isWanted.none { it }) emptyList() else positions.indices.filter { isWanted[classNumbers[it]] }
    }

    /** How many elements an array has. */
    fun length(array: Int): Int {
        requireThat(kindOf(array) != ObjectKind.INSTANCE, array) { "a ${classOf(array)} instead of an array" }
        return bytes.int(positions[array] + LENGTH)
    }

    fun elementType(primitives: Int): ValueType = ValueType.entries[classNumbers[primitives] - byId.size]

    /** Where the elements of an array of primitive numbers lie. */
    fun elementsAt(primitives: Int): Long {
        requireThat(kindOf(primitives) == ObjectKind.PRIMITIVES, primitives) { "an object instead of numbers" }
        return positions[primitives] + ELEMENTS
    }

    fun longs(array: Int): LongArray {
        val start = elementsAt(array)
        val type = elementType(array)
        requireThat(type == ValueType.LONG, array) { "an array of ${type.word} instead of long" }
        return LongArray(length(array)) { bytes.long(start + it * 8L) }
    }

    /** The first [count] elements of an array of references. */
    fun references(array: Int, count: Int = length(array)): LongArray {
        requireThat(kindOf(array) == ObjectKind.REFERENCES, array) { "an object instead of an array of references" }
        return LongArray(count.coerceIn(0, length(array))) { element(array, it) }
    }

    /** An element of an array of references. */
    fun element(array: Int, index: Int): Long = bytes.long(positions[array] + CONTENT + index * 8L)

    /** The value of [field] in an instance, in bits. */
    fun bits(instance: Int, field: HeapField): Long {
        val start = positions[instance] + CONTENT
        return field.type.bits(bytes, start + field.position)
    }

    fun bits(static: HeapField): Long = static.type.bits(bytes, static.position)

    /** The value of the field of this name; 0 if there is none, as in another version of the JDK. */
    fun bits(instance: Int, name: String): Long {
        val field = classOf(instance).field(name)
        return if (field == null) 0 else bits(instance, field)
    }

    /** The object to which the field of this name leads; [NONE] for null. */
    fun follow(instance: Int, name: String): Int = numberOf(bits(instance, name))

    private inline fun requireThat(isSo: Boolean, number: Int, flaw: () -> String) {
        if (!isSo) throw flawOf(number, flaw())
    }

    private fun flawOf(number: Int, flaw: String) = UnreadableDump(path, positions[number], flaw)

    override fun close() = bytes.close()

    companion object {
        const val NONE = -1

        fun open(path: Path): HeapDump {
            val bytes = DumpBytes(path)
            try {
                return HeapDump(path, bytes, DumpReading(path, bytes).apply { read() })
            } catch (failure: Throwable) {
                bytes.close()
                throw failure
            }
        }
    }
}

internal enum class ObjectKind(val tag: Int) {
    INSTANCE(0x21),
    REFERENCES(0x22),
    PRIMITIVES(0x23),
    ;

    companion object {
        fun of(tag: Int): ObjectKind = entries[tag - INSTANCE.tag]
    }
}

/** A thread that ran when the heap was dumped. Its [frames] begin with the one that was called last. */
internal class HeapThread(val id: Long, val frames: List<HeapFrame>)

/** A call of [method], and the objects in its local variables. */
internal class HeapFrame(val className: String, val method: String, val line: Int, val locals: List<Long>)

/** Finds objects by their ids: open addressing, whose keys are in the dump. */
internal class ObjectTable(private val bytes: DumpBytes, private val positions: LongArray) {
    private val slots = IntArray(generateSequence(8) { it * 2 }.first { positions.size <= it / 5 * 3 })
    private val shift = Int.SIZE_BITS + Integer.numberOfLeadingZeros(slots.size) + 1

    init {
        for (number in positions.indices) {
            var slot = home(idAt(number))
            while (slots[slot] != 0) slot = slot + 1 and slots.size - 1
            slots[slot] = number + 1
        }
    }

    fun find(id: Long): Int {
        if (id == 0L) return HeapDump.NONE
        var slot = home(id)
        while (slots[slot] != 0) {
            if (idAt(slots[slot] - 1) == id) return slots[slot] - 1
            slot = slot + 1 and slots.size - 1
        }
        return HeapDump.NONE
    }

    private fun idAt(number: Int) = bytes.long(positions[number] + ID)

    private fun home(id: Long): Int = ((id * MIX) ushr shift).toInt()

    private companion object {
        /** 2^64 divided by the golden ratio: ids are addresses, whose last bits are alike. */
        const val MIX = -0x61c8864680b583ebL
    }
}

// Offsets in the record of an object, after its tag of one byte.

private const val ID = 1L
private const val LENGTH = 13L
private const val CLASS = 13L
private const val ARRAY_CLASS = 17L
private const val ELEMENT_TYPE = 17L
private const val ELEMENTS = 18L
private const val INSTANCE_BYTES = 21L
private const val CONTENT = 25L
