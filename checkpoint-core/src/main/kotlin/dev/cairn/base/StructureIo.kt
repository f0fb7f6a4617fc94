package dev.cairn.base

import java.nio.ByteBuffer

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
    fun <T> list(
        values: List<T>,
        structure: Structure<T>,
    ): List<T>
}

/** A text in UTF-8, led by its size. Half of a pair of surrogates is written as `?`. */
internal fun StructureIo.text(value: String): String = textOfUtf8(bytes(ByteBuffer.wrap(value.encodeToByteArray())))

/** One of [options], as its index in them. */
internal fun <T> StructureIo.choice(
    options: List<T>,
    value: T,
): T {
    val index = u8(options.indexOf(value))
    return requireNotNull(options.getOrNull(index)) { "$index stands for none of $options" }
}

internal fun StructureIo.flag(value: Boolean): Boolean = choice(FLAGS, value)

/** A structure inside another one. */
internal fun <T> StructureIo.one(
    value: T,
    structure: Structure<T>,
): T = structure.pass(this, value)

/** A list of one structure or none. */
internal fun <T : Any> StructureIo.optional(
    value: T?,
    structure: Structure<T>,
): T? {
    val found = list(listOfNotNull(value), structure)
    require(found.size <= 1) { "${found.size} values stand where one may be" }
    return found.firstOrNull()
}

private val FLAGS = listOf(false, true)
