package dev.cairn.cli

import dev.cairn.command.Refusal
import dev.cairn.grid.Shape
import dev.cairn.state.ElementType
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/**
 * The start of a NumPy file, format 1.0, of cells in row-major order, which are what the Python expression [type] says. Its
 * size is a multiple of 64, so that the cells are aligned when the file is mapped:
 *
 * ```
 * 93 "NUMPY"  01 00   u16 size of the rest   a Python dictionary, blanks, a line feed
 * ```
 */
internal fun npyHeader(type: String, shape: Shape): ByteArray {
    val dictionary = "{'descr': $type, 'fortran_order': False, 'shape': ${tuple(shape)}, }"
    val size = (FIXED_SIZE + dictionary.length + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT
    if (size > MOST_BYTES) throw Refusal("the head of a NumPy file has at most $MOST_BYTES bytes: too many columns.")
    val text = dictionary.padEnd(size - FIXED_SIZE - 1) + "\n"
    return ByteBuffer
        .allocate(size)
        .order(LITTLE_ENDIAN)
        .put(MAGIC_AND_VERSION)
        .putShort(text.length.toShort())
        .put(text.encodeToByteArray())
        .array()
}

/** The type of a cell, for [npyHeader]. */
internal fun cellType(type: ElementType): String = "'${descriptor(type)}'"

/** NumPy's type for text of a fixed number of bytes; the text ends at the first zero. */
internal fun textType(byteCount: Int): String = "'|S$byteCount'"

/** The type of a record with columns of these types, packed one behind the other. */
internal fun recordType(columns: List<Pair<String, String>>): String =
    columns.joinToString(", ", "[", "]") { (name, type) -> "(${quoted(name)}, $type)" }

/** Only printable ASCII stands for itself. */
private fun quoted(name: String): String =
    name.map { if (it in ' '..'~' && it !in "'\\") "$it" else "\\u%04x".format(it.code) }.joinToString("", "'", "'")

/** In Python's notation, in which a tuple of one element has a comma. */
private fun tuple(shape: Shape): String =
    (0 until shape.dimensions()).joinToString(prefix = "(", postfix = if (shape.dimensions() == 1) ",)" else ")") {
        "${shape.extent(it)}"
    }

private fun descriptor(type: ElementType): String =
    when (type) {
        ElementType.BOOLEAN -> "|b1"
        ElementType.BYTE -> "|i1"
        ElementType.SHORT -> "<i2"
        ElementType.CHAR -> "<u2"
        ElementType.INT -> "<i4"
        ElementType.LONG -> "<i8"
        ElementType.FLOAT -> "<f4"
        ElementType.DOUBLE -> "<f8"
    }

private val MAGIC_AND_VERSION = byteArrayOf(0x93.toByte()) + "NUMPY".encodeToByteArray() + byteArrayOf(1, 0)
private val FIXED_SIZE = MAGIC_AND_VERSION.size + Short.SIZE_BYTES
private const val ALIGNMENT = 64
private const val MOST_BYTES = 65472
