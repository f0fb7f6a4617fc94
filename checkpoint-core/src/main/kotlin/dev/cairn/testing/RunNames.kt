package dev.cairn.testing

import dev.cairn.event.rankText
import dev.cairn.item.GraphDifference
import dev.cairn.reading.StoredItem
import dev.cairn.reading.firstDifference
import dev.cairn.store.ManifestItem
import java.util.Arrays
import java.util.HexFormat

/** What two runs of a program are called in sentences about their differences. */
internal enum class RunNames(private val one: String, private val other: String) {
    REPEATED("in the first run", "in the second"),
    INTERRUPTED("without the interruption", "after it"),
    ;

    /** Where two items of the same name first differ; null if that cannot be told. */
    fun difference(mine: StoredItem, its: StoredItem): String? {
        val first = mine.firstDifference(its) ?: return null
        val place = listOfNotNull("${mine.kind} '${mine.name}'", first.place).joinToString()
        return sentence(place, first.one, first.other)
    }

    /** Where two graphs that are stored as [item] first differ. */
    fun difference(item: ManifestItem, found: GraphDifference) =
        sentence("${item.kind} '${item.name}', ${found.path}", found.mine, found.its)

    fun outOfOrder(table: String, ranks: List<Int>) =
        "The rows of the table '$table' came back in another order on ${rankText(ranks)}: a setter must keep them in " +
            "the order in which it gets them."

    fun witnessed(name: String, rank: Int, mine: ByteArray, its: ByteArray?): String {
        val at = if (its == null) 0 else Arrays.mismatch(mine, its)
        return sentence("'$name' on rank $rank", excerpt(mine, at), its?.let { excerpt(it, at) })
    }

    /** The first line in which two files differ. */
    fun lines(name: String, mine: ByteArray, its: ByteArray?): String {
        if (its == null) return sentence("'$name'", "there", null)
        val at = Arrays.mismatch(mine, its)
        val number = 1 + (0 until at).count { mine[it] == LINE_END }
        val start = (0 until at).lastOrNull { mine[it] == LINE_END }?.plus(1) ?: 0
        return sentence("'$name', line $number", lineOf(mine, start), lineOf(its, start)) +
            " They have ${mine.size} and ${its.size} bytes."
    }

    private fun lineOf(bytes: ByteArray, start: Int): String? {
        if (start >= bytes.size) return null
        val end = (start until bytes.size).firstOrNull { bytes[it] == LINE_END } ?: bytes.size
        return excerpt(bytes.copyOfRange(start, end), 0)
    }

    private fun sentence(place: String, mine: String?, its: String?) =
        "${place.replaceFirstChar(Char::uppercase)}: ${mine ?: MISSING} $one, ${its ?: MISSING} $other."
}

private const val LINE_END = '\n'.code.toByte()
private const val MISSING = "missing"
private const val MOST_SHOWN = 60

/** Some of [bytes] around [at], as text if they are one. */
private fun excerpt(bytes: ByteArray, at: Int): String {
    val start = if (bytes.size <= MOST_SHOWN) 0 else maxOf(0, at - MOST_SHOWN / 2)
    val shown = bytes.copyOfRange(start, minOf(bytes.size, start + MOST_SHOWN))
    val text = shown.decodeToString()
    val isText = text.none { (it.isISOControl() && !it.isWhitespace()) || it == '\uFFFD' }
    return if (isText) "'$text'" else "the bytes ${HexFormat.of().formatHex(shown)}"
}
