package dev.cairn.state

import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/** The cell number [cell] of those in [cells], as people read it. */
internal fun ElementType.textOf(cells: ByteBuffer, cell: Int): String {
    val bytes = cells.slice().order(LITTLE_ENDIAN)
    val at = cell * size
    return when (this) {
        ElementType.BOOLEAN -> "${bytes.get(at) != 0.toByte()}"
        ElementType.BYTE -> "${bytes.get(at)}"
        ElementType.SHORT -> "${bytes.getShort(at)}"
        ElementType.CHAR -> "'${bytes.getChar(at)}'"
        ElementType.INT -> "${bytes.getInt(at)}"
        ElementType.LONG -> "${bytes.getLong(at)}"
        ElementType.FLOAT -> "${bytes.getFloat(at)}"
        ElementType.DOUBLE -> "${bytes.getDouble(at)}"
    }
}
