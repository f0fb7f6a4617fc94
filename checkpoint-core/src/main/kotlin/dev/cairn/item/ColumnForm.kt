package dev.cairn.item

import dev.cairn.event.requireDeclared
import dev.cairn.state.ArrayKind
import dev.cairn.state.Meaning
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.charset.CharacterCodingException
import java.lang.reflect.Array as AnyArray

/**
 * The representation of one column of the program by arrays of primitives, which are stored. The program's own array holds
 * primitives, texts or constants.
 */
internal sealed interface ColumnForm<A : Any> {
    val name: String

    /** The arrays of primitives, in the order in which they are stored. */
    val columns: List<Column<*>>

    /** An array for the program. */
    fun create(rowCount: Int): A

    /** The first [count] elements as arrays for [columns]; an array of primitives is the program's own. */
    fun encode(array: A, count: Int): List<Any>

    /** An array for the program, made from arrays for [columns]. */
    fun decode(arrays: List<Any>, count: Int): A
}

/** A column of numbers is stored as it is. */
internal class NumberForm<A : Any>(private val column: Column<A>) : ColumnForm<A> {
    override val name get() = column.name
    override val columns get() = listOf(column)

    override fun create(rowCount: Int): A = column.kind.create(rowCount)

    override fun encode(array: A, count: Int): List<Any> = listOf(array)

    override fun decode(arrays: List<Any>, count: Int): A = column.of(arrays.single())
}

/** How many rows each row holds, and a checksum of these; an array of the program has the numbers alone. */
internal class ListForm(override val name: String) : ColumnForm<IntArray> {
    override val columns =
        listOf(Column(name, ArrayKind.INTS), Column(checksumOf(name), ArrayKind.LONGS, Meaning.ListChecksum(name)))

    override fun create(rowCount: Int) = IntArray(rowCount)

    override fun encode(array: IntArray, count: Int): List<Any> = listOf(array, LongArray(count))

    override fun decode(arrays: List<Any>, count: Int) = arrays.first() as IntArray

    companion object {
        /** The name of the column of checksums. */
        fun checksumOf(name: String) = "$name.checksum"
    }
}

/** Constants of an enum, which are stored as their ordinals: one byte each, or two bytes if there are more than 128 constants. */
internal class EnumForm<E : Enum<E>>(
    private val table: String,
    override val name: String,
    private val type: Class<E>,
) : ColumnForm<Array<E>> {
    private val constants: Array<E> = type.enumConstants
    private val isSmall = constants.size <= Byte.MAX_VALUE + 1

    override val columns: List<Column<*>> =
        Meaning.Constants(constants.map { it.name }).let { meaning ->
            listOf(if (isSmall) Column(name, ArrayKind.BYTES, meaning) else Column(name, ArrayKind.SHORTS, meaning))
        }

    @Suppress("UNCHECKED_CAST") // The new array has the class that is passed.
    override fun create(rowCount: Int): Array<E> = AnyArray.newInstance(type, rowCount) as Array<E>

    override fun encode(array: Array<E>, count: Int): List<Any> =
        listOf(
            if (isSmall) {
                ByteArray(count) { placeOf(array[it], it).toByte() }
            } else {
                ShortArray(count) { placeOf(array[it], it).toShort() }
            },
        )

    private fun placeOf(constant: E?, row: Int): Int =
        constant?.ordinal ?: throw notStorable(
            table,
            "the column '$name' of the table '$table' holds constants of ${type.simpleName}, but that of row $row is " +
                "null. Give the enum a constant for it.",
        )

    override fun decode(arrays: List<Any>, count: Int): Array<E> =
        create(count).also { found -> repeat(count) { found[it] = constants[placeIn(arrays.single(), it)] } }

    companion object {
        /** The place of a row's constant in an array of a column of constants. */
        fun placeIn(array: Any, row: Int): Int =
            if (array is ByteArray) array[row].toInt() else (array as ShortArray)[row].toInt()
    }
}

/**
 * Texts of at most [atMost] bytes of UTF-8. They are stored in a fixed width, so that their rows can be sent to other ranks as
 * rows of numbers are: each eight bytes of a text are a long, in an array of their own.
 */
internal class TextForm(private val table: String, override val name: String, private val atMost: Int) :
    ColumnForm<Array<String>> {
    init {
        requireDeclared(atMost in 1..MOST_BYTES, table) {
            "the texts of the column '$name' of table '$table' have at least 1 and at most $MOST_BYTES bytes, not $atMost"
        }
    }

    override val columns =
        List((atMost + PART_BYTES - 1) / PART_BYTES) { part ->
            Column("$name[$part]", ArrayKind.LONGS, Meaning.TextPart(name, part, atMost))
        }

    override fun create(rowCount: Int): Array<String> = Array(rowCount) { "" }

    override fun encode(array: Array<String>, count: Int): List<Any> {
        val parts = columns.map { LongArray(count) }
        val bytes = ByteBuffer.allocate(columns.size * PART_BYTES).order(LITTLE_ENDIAN)
        for (row in 0 until count) {
            bytes.clear().put(bytesOf(array[row], row))
            while (bytes.hasRemaining()) bytes.put(0)
            parts.forEachIndexed { part, cells -> cells[row] = bytes.getLong(part * PART_BYTES) }
        }
        return parts
    }

    private fun bytesOf(text: String?, row: Int): ByteArray {
        if (text == null) throw refusal(row, "is null. Store an empty text instead")
        val bytes =
            try {
                text.encodeToByteArray(throwOnInvalidSequence = true)
            } catch (half: CharacterCodingException) {
                throw refusal(row, "has an unpaired surrogate, which is not a character").apply { addSuppressed(half) }
            }
        val size = bytes.size
        if (size > atMost) throw refusal(row, "has $size bytes. Declare the column wider, or shorten the text")
        if (END in text) throw refusal(row, "contains the character 0, which marks the end of a stored text")
        return bytes
    }

    private fun refusal(row: Int, flaw: String) =
        notStorable(
            table,
            "the column '$name' of the table '$table' holds texts of at most $atMost bytes, but that of row $row $flaw.",
        )

    override fun decode(arrays: List<Any>, count: Int): Array<String> =
        arrays.map { it as LongArray }.let { parts -> Array(count) { row -> textOf(parts, row) } }

    companion object {
        const val MOST_BYTES = 1 shl 12
        const val PART_BYTES = Long.SIZE_BYTES
        private const val END = '\u0000'

        /** The text of a row; each of [parts] holds eight bytes of it. */
        fun textOf(parts: List<LongArray>, row: Int): String {
            val bytes = ByteBuffer.allocate(parts.size * PART_BYTES).order(LITTLE_ENDIAN)
            parts.forEach { bytes.putLong(it[row]) }
            val end = bytes.array().indexOf(0)
            return bytes.array().decodeToString(0, if (end < 0) bytes.capacity() else end)
        }
    }
}
