package dev.cairn.reading

import dev.cairn.state.CborInput
import dev.cairn.state.Codecs
import dev.cairn.state.SerialCodec
import dev.cairn.state.textOf
import java.nio.ByteBuffer
import java.util.HexFormat

/**
 * The first place where two stored items differ, and what each of them has there, in words; null stands for nothing. An item that
 * has one place alone has no name for it.
 */
internal class FirstDifference(val place: String?, val one: String?, val other: String?)

/** The first difference of this item from [other], which has its name; null if it cannot be told. Small items are in memory. */
internal fun StoredItem.firstDifference(other: StoredItem): FirstDifference? =
    when {
        countBytes() + other.countBytes() > MOST_COMPARED -> null
        this is StoredField && other is StoredField -> cellDifference(this, other)
        this is StoredTable && other is StoredTable -> RowDifference(this, other).first()
        this is StoredSeed && other is StoredSeed -> FirstDifference("its seed", "${read()}", "${other.read()}")
        this is StoredOutput && other is StoredOutput -> lengthDifference(this, other)
        this is StoredBytes && other is StoredBytes -> byteDifference(this, other)
        else -> null
    }

private fun cellDifference(a: StoredField, b: StoredField): FirstDifference? {
    if (a.shape != b.shape || a.elementType != b.elementType) return null
    val (one, other) = FieldWindows(a) to FieldWindows(b)
    for (window in 0 until one.count) {
        val (mine, its) = one.read(window).clear() to other.read(window).clear()
        val byte = mine.mismatch(its)
        if (byte < 0) continue
        val at = byte / a.elementType.size
        val cell = a.shape.cell(one.firstCell(window) + at).joinToString(", ", "(", ")")
        return FirstDifference("cell $cell", a.elementType.textOf(mine, at), a.elementType.textOf(its, at))
    }
    return null
}

private fun lengthDifference(a: StoredOutput, b: StoredOutput) =
    if (a.length() == b.length()) null else FirstDifference("its length", "${a.length()}", "${b.length()}")

private fun byteDifference(a: StoredBytes, b: StoredBytes): FirstDifference? {
    if (a.isPrivate && a.rankCount != b.rankCount) return null
    for (rank in if (a.isPrivate) 0 until a.rankCount else 0..0) {
        val (mine, its) = listOf(a, b).map { each -> each.open(rank..rank).use { it.readAllBytes() } }
        if (mine.contentEquals(its)) continue
        return difference(a.described.elementType, mine, its, "rank $rank".takeIf { a.isPrivate && a.rankCount > 1 })
    }
    return null
}

private fun difference(format: String, one: ByteArray, other: ByteArray, place: String?): FirstDifference {
    val texts = listOf(one, other).map { textOf(format, ByteBuffer.wrap(it)) }
    if (null !in texts && texts[0] != texts[1]) {
        val (mine, its) = excerpts(texts[0].orEmpty(), texts[1].orEmpty())
        return FirstDifference(place, mine, its)
    }
    val byte = one.mismatch(other)
    return FirstDifference(listOfNotNull(place, "byte $byte").joinToString(), one.hexAt(byte), other.hexAt(byte))
}

private fun textOf(format: String, bytes: ByteBuffer): String? =
    try {
        when (format) {
            SerialCodec.FORMAT -> CborInput(bytes).inWords()
            Codecs.TEXT.format -> "\"${Codecs.TEXT.decode(bytes)}\""
            else -> NUMBERS.find { it.format == format }?.let { "${it.decode(bytes)}" }
        }
    } catch (_: RuntimeException) {
        // A codec of the program may have a format of the same name.
        null
    }

/** Of long texts, the part in which they differ first. */
private fun excerpts(one: String, other: String): List<String> {
    val texts = listOf(one, other)
    if (texts.all { it.length <= MOST_SHOWN }) return texts
    val shared = one.commonPrefixWith(other)
    val start = shared.lastIndexOfAny(charArrayOf(',', '{', '[')) + 1
    return texts.map { text ->
        val end = minOf(text.length, maxOf(start, shared.length - MOST_SHOWN) + 2 * MOST_SHOWN)
        val begin = maxOf(start, shared.length - MOST_SHOWN)
        (if (begin > 0) "…" else "") + text.substring(begin, end).trim() + if (end < text.length) "…" else ""
    }
}

private fun ByteArray.mismatch(other: ByteArray): Int = java.util.Arrays.mismatch(this, other)

private fun ByteArray.hexAt(byte: Int): String? = getOrNull(byte)?.let { HexFormat.of().toHexDigits(it) }

private val NUMBERS = listOf(Codecs.LONG, Codecs.DOUBLE, Codecs.INT)

private const val MOST_COMPARED = 64L shl 20
private const val MOST_SHOWN = 60
