package dev.cairn.cli

import dev.cairn.command.Refusal
import dev.cairn.grid.Box
import dev.cairn.reading.FieldWindows
import dev.cairn.reading.StoredField
import dev.cairn.state.ElementType
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

/** The fill value for cells of [box] in [field] that no rank stored: the cell that the user gave as [text]. */
internal class MissingCells(field: StoredField, private val box: Box, text: String?) {
    /** The number of cells that no rank stored. */
    val count: Long = box.cellCount() - field.stored.boxesIn(box).sumOf { it.cellCount() }

    private val cell: ByteArray? = if (count == 0L) null else cellOf(field, text ?: throw refusal(field))

    /** Puts the cell where [bytes], which are all of [window], hold none. */
    fun fill(windows: FieldWindows, window: Int, bytes: ByteBuffer) {
        val stored = windows.storedPlaces(window)
        if (cell == null || stored == null) return
        val cellCount = bytes.limit() / cell.size
        var place = stored.nextClearBit(0)
        while (place < cellCount) {
            bytes.put(place * cell.size, cell)
            place = stored.nextClearBit(place + 1)
        }
    }

    private fun refusal(field: StoredField) =
        Refusal(
            "'${field.name}' is sparse, and $count of ${if (box == field.shape.box()) "its" else "the"} " +
                "${box.cellCount()} cells were stored by no rank" +
                "${field.stored.gapIn(box).map { ", such as $it" }.orElse("")}. Give a value for them with " +
                "--missing, such as --missing ${if (field.elementType.isFloating) "NaN" else "0"}.",
        )

    private fun cellOf(field: StoredField, text: String): ByteArray =
        field.elementType.encode(text)
            ?: throw Refusal("--missing: '$text' is no ${field.elementType}, which the cells of '${field.name}' are.")
}

private val ElementType.isFloating get() = this == ElementType.DOUBLE || this == ElementType.FLOAT

/** A cell as it is stored, from its decimal number; null if the text is none. A char is its number, too. */
private fun ElementType.encode(text: String): ByteArray? {
    val bytes = ByteBuffer.allocate(size).order(LITTLE_ENDIAN)
    return when (this) {
        ElementType.BOOLEAN -> text.toBooleanStrictOrNull()?.let { bytes.put(if (it) 1 else 0) }
        ElementType.BYTE -> text.toByteOrNull()?.let { bytes.put(it) }
        ElementType.SHORT -> text.toShortOrNull()?.let { bytes.putShort(it) }
        ElementType.CHAR -> text.toUShortOrNull()?.let { bytes.putShort(it.toShort()) }
        ElementType.INT -> text.toIntOrNull()?.let { bytes.putInt(it) }
        ElementType.LONG -> text.toLongOrNull()?.let { bytes.putLong(it) }
        ElementType.FLOAT -> text.toFloatOrNull()?.let { bytes.putFloat(it) }
        ElementType.DOUBLE -> text.toDoubleOrNull()?.let { bytes.putDouble(it) }
    }?.array()
}
