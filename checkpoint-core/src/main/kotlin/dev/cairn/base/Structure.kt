package dev.cairn.base

import java.nio.ByteBuffer

/**
 * A list of fields, stated once: [fields] passes each part of a value to a [StructureIo] and makes a value of what that returns.
 *
 * @property blank the value whose parts a reader passes, and the smallest that there is: a list in it is empty
 */
internal class Structure<T>(
    val blank: T,
    private val fields: StructureIo.(T) -> T,
) {
    /** The bytes of the smallest value. */
    val leastSize: Long by lazy(LazyThreadSafetyMode.PUBLICATION) { size(blank) }

    fun pass(
        io: StructureIo,
        value: T,
    ): T = io.fields(value)

    /** The bytes that [value] takes. */
    fun size(value: T): Long = StructureMeter().also { it.fields(value) }.size

    /** Writes to [target], which is little-endian and large enough. */
    fun write(
        value: T,
        target: ByteBuffer,
    ) {
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
