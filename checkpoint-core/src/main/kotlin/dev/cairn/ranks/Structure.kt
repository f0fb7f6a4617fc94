package dev.cairn.ranks

import dev.cairn.event.textOfUtf8
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/**
 * A list of fields, stated once: [fields] passes each part of a value to a [StructureIo] and makes a value of what that returns.
 *
 * @property blank the value whose parts a reader passes, and the smallest that there is: a list in it is empty
 */
internal class Structure<T>(val blank: T, private val fields: StructureIo.(T) -> T) {
    /** The bytes of the smallest value. */
    val leastSize: Long by lazy(LazyThreadSafetyMode.PUBLICATION) { size(blank) }

    fun pass(io: StructureIo, value: T): T = io.fields(value)

    /** The bytes that [value] takes. */
    fun size(value: T): Long = StructureMeter().also { it.fields(value) }.size

    /** Writes to [target], which is little-endian and large enough. */
    fun write(value: T, target: ByteBuffer) {
        StructureWriter(target).fields(value)
    }

    /**
     * Reads from [source], which is little-endian, and never beyond its end; an [IllegalArgumentException] says what is wrong
     * with the bytes.
     */
    fun read(source: ByteBuffer): T = StructureReader(source).fields(blank)

    /** Reads as [read] does, and refuses bytes that are left over. */
    fun readAll(source: ByteBuffer): T =
        read(source).also { require(!source.hasRemaining()) { "it has ${source.remaining()} bytes left over" } }
}

/** A number of four bytes. */
internal val NUMBER = Structure(0) { u32(it) }

/**
 * The vocabulary of structures. All numbers are little-endian. Each function writes the value that it is given and returns it, or
 * reads one and returns that; so one list of fields reads, writes and measures.
 */
internal interface StructureIo {
    fun u8(value: Int): Int

    fun u32(value: Int): Int

    fun u64(value: Long): Long

    /** Bytes, led by their number as u32. A reader returns a view and copies nothing. */
    fun bytes(value: ByteBuffer): ByteBuffer

    /** Numbers as u64, led by their count as u32. */
    fun longs(values: LongArray): LongArray

    /** A list of structures, led by its length as u32. */
    fun <T> list(values: List<T>, structure: Structure<T>): List<T>
}

/** A text in UTF-8, led by its size. Half of a pair of surrogates is written as `?`. */
internal fun StructureIo.text(value: String): String = textOfUtf8(bytes(ByteBuffer.wrap(value.encodeToByteArray())))

/** One of [options], as its index in them. */
internal fun <T> StructureIo.choice(options: List<T>, value: T): T {
    val index = u8(options.indexOf(value))
    return requireNotNull(options.getOrNull(index)) { "$index stands for none of $options" }
}

internal fun StructureIo.flag(value: Boolean): Boolean = choice(FLAGS, value)

/** A structure inside another one. */
internal fun <T> StructureIo.one(value: T, structure: Structure<T>): T = structure.pass(this, value)

/** A list of one structure or none. */
internal fun <T : Any> StructureIo.optional(value: T?, structure: Structure<T>): T? {
    val found = list(listOfNotNull(value), structure)
    require(found.size <= 1) { "${found.size} values stand where one may be" }
    return found.firstOrNull()
}

private val FLAGS = listOf(false, true)

/** Counts the bytes of a list of fields. */
internal class StructureMeter : StructureIo {
    var size = 0L
        private set

    override fun u8(value: Int): Int = value.also { size += Byte.SIZE_BYTES }

    override fun u32(value: Int): Int = value.also { size += Int.SIZE_BYTES }

    override fun u64(value: Long): Long = value.also { size += Long.SIZE_BYTES }

    override fun bytes(value: ByteBuffer): ByteBuffer = value.also { size += Int.SIZE_BYTES + it.remaining() }

    override fun longs(values: LongArray): LongArray =
        values.also { size += Int.SIZE_BYTES + it.size.toLong() * Long.SIZE_BYTES }

    override fun <T> list(values: List<T>, structure: Structure<T>): List<T> =
        values.also { u32(it.size) }.onEach { structure.pass(this, it) }
}

/** Reads from [source], which is little-endian, and never beyond its end. It makes room only for what [source] still holds. */
internal class StructureReader(private val source: ByteBuffer) : StructureIo {
    override fun u8(value: Int): Int = next(Byte.SIZE_BYTES).get().toInt() and 0xff

    override fun u32(value: Int): Int = next(Int.SIZE_BYTES).getInt()

    override fun u64(value: Long): Long = next(Long.SIZE_BYTES).getLong()

    override fun bytes(value: ByteBuffer): ByteBuffer {
        val size = length("bytes", elementSize = 1)
        val view = source.slice(source.position(), size).order(LITTLE_ENDIAN)
        source.position(source.position() + size)
        return view
    }

    override fun longs(values: LongArray): LongArray {
        val count = length("numbers", Long.SIZE_BYTES.toLong())
        return LongArray(count) { source.getLong() }
    }

    override fun <T> list(values: List<T>, structure: Structure<T>): List<T> =
        List(length("elements", structure.leastSize)) { structure.pass(this, structure.blank) }

    private fun next(size: Int): ByteBuffer = source.also { require(it.remaining() >= size) { "it ends too early" } }

    private fun length(what: String, elementSize: Long): Int {
        val length = Integer.toUnsignedLong(u32(0))
        require(length * elementSize <= source.remaining()) {
            "a list of $length $what needs ${length * elementSize} bytes, but ${source.remaining()} are left"
        }
        return length.toInt()
    }
}

/** Writes to [target], which is little-endian and large enough. */
internal class StructureWriter(private val target: ByteBuffer) : StructureIo {
    override fun u8(value: Int): Int = value.also { target.put(it.toByte()) }

    override fun u32(value: Int): Int = value.also { target.putInt(it) }

    override fun u64(value: Long): Long = value.also { target.putLong(it) }

    override fun bytes(value: ByteBuffer): ByteBuffer = value.also { target.putInt(it.remaining()).put(it.duplicate()) }

    override fun longs(values: LongArray): LongArray =
        values.also {
            target.putInt(it.size)
            it.forEach(target::putLong)
        }

    override fun <T> list(values: List<T>, structure: Structure<T>): List<T> =
        values.also { u32(it.size) }.onEach { structure.pass(this, it) }
}
