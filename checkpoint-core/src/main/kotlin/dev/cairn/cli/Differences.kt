package dev.cairn.cli

import dev.cairn.restore.FieldWindows
import dev.cairn.restore.StoredBytes
import dev.cairn.restore.StoredField
import dev.cairn.restore.StoredItem
import dev.cairn.state.ElementType
import dev.cairn.state.ElementType.BOOLEAN
import dev.cairn.state.ElementType.BYTE
import dev.cairn.state.ElementType.CHAR
import dev.cairn.state.ElementType.DOUBLE
import dev.cairn.state.ElementType.FLOAT
import dev.cairn.state.ElementType.INT
import dev.cairn.state.ElementType.LONG
import dev.cairn.state.ElementType.SHORT
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import kotlin.math.abs

/** How this item differs from [other], which has its name. */
internal fun StoredItem.compareWith(other: StoredItem): ComparedItem {
    val difference = schemaDifference(other)
    return when {
        difference != null -> ComparedItem(name, note = difference)
        this is StoredField && other is StoredField -> compareFields(this, other)
        this is StoredBytes && other is StoredBytes -> compareBytes(this, other)
        else -> compareDigests(this, other)
    }
}

private fun StoredItem.schemaDifference(other: StoredItem): String? {
    val a = listOf(described.kind, described.elementType, described.shape.joinToString("x"))
    val b = listOf(other.described.kind, other.described.elementType, other.described.shape.joinToString("x"))
    return if (a == b) null else "${a.joinToString(" ").trim()} is not ${b.joinToString(" ").trim()}"
}

private fun compareFields(
    a: StoredField,
    b: StoredField,
): ComparedItem {
    val one = FieldWindows(a)
    val other = FieldWindows(b)
    val tally = Tally(a.type)
    for (window in 0 until one.count) tally.add(one.read(window), other.read(window), one.firstCell(window))
    val first = tally.first?.let { a.shape.cell(it).joinToString(", ", "(", ")") }
    return ComparedItem(a.name, a.shape.cellCount(), tally.count, tally.largestText(), first)
}

private fun compareBytes(
    a: StoredBytes,
    b: StoredBytes,
): ComparedItem {
    if (a.isPerRank && a.rankCount != b.rankCount) {
        return ComparedItem(a.name, note = "private to each rank, of ${a.rankCount} and of ${b.rankCount} ranks")
    }
    var count = 0L
    var first: String? = null
    for (rank in 0 until if (a.isPerRank) a.rankCount else 1) {
        val tally = tallyOf(rank, a, b)
        count += tally.count
        first = first ?: tally.first?.let { if (a.isPerRank) "byte $it of rank $rank" else "byte $it" }
    }
    return ComparedItem(a.name, maxOf(a.byteCount(), b.byteCount()), count, first = first)
}

/** Bytes that only one of them has differ, too. */
private fun tallyOf(
    rank: Int,
    a: StoredBytes,
    b: StoredBytes,
): Tally {
    val tally = Tally(BYTE)
    val shorter = minOf(a.size(rank), b.size(rank))
    a.framesWith(b, rank) { start, one, other -> tally.add(one, other, start) }
    tally.addMissing(shorter, maxOf(a.size(rank), b.size(rank)) - shorter)
    return tally
}

/** Of a kind that this version cannot look into, frames are verified and digests compared. */
private fun compareDigests(
    a: StoredItem,
    b: StoredItem,
): ComparedItem {
    a.digest()
    b.digest()
    val isSame = a.described.digest == b.described.digest
    return ComparedItem(
        a.name,
        a.described.elementCount,
        if (isSame) 0 else null,
        note = if (isSame) "by its digest" else "the digests differ",
    )
}

/** Counts the cells that differ in their bits, and finds the largest difference of their values. */
internal class Tally(
    private val type: ElementType,
) {
    var count = 0L
        private set

    /** The global number of the first that differs. */
    var first: Long? = null
        private set

    private var largest = 0.0

    /** Compares the cells in both buffers, which are numbered from [firstIndex] on. */
    fun add(
        a: ByteBuffer,
        b: ByteBuffer,
        firstIndex: Long,
    ) {
        val one = a.slice().order(LITTLE_ENDIAN)
        val other = b.slice().order(LITTLE_ENDIAN)
        val cells = minOf(one.remaining(), other.remaining()) / type.size
        var cell = mismatch(one, other, 0, cells)
        while (cell < cells) {
            addMissing(firstIndex + cell, 1)
            largest = maxOf(largest, distance(one, other, cell * type.size))
            cell = mismatch(one, other, cell + 1, cells)
        }
    }

    /** Counts cells that the other side does not have. */
    fun addMissing(
        index: Long,
        cellCount: Long,
    ) {
        if (cellCount > 0 && first == null) first = index
        count += cellCount
    }

    /** The largest difference of numbers, if there is any. */
    fun largestText(): String? = if (count == 0L || type == BOOLEAN) null else "$largest"

    private fun mismatch(
        a: ByteBuffer,
        b: ByteBuffer,
        from: Int,
        cells: Int,
    ): Int {
        val start = from * type.size
        val length = (cells - from) * type.size
        val found = a.slice(start, length).mismatch(b.slice(start, length))
        return if (found < 0) cells else from + found / type.size
    }

    private fun distance(
        a: ByteBuffer,
        b: ByteBuffer,
        at: Int,
    ): Double =
        when (type) {
            DOUBLE -> abs(a.getDouble(at) - b.getDouble(at))
            FLOAT -> abs(a.getFloat(at).toDouble() - b.getFloat(at).toDouble())
            LONG -> distance(a.getLong(at), b.getLong(at))
            INT -> distance(a.getInt(at).toLong(), b.getInt(at).toLong())
            SHORT -> distance(a.getShort(at).toLong(), b.getShort(at).toLong())
            CHAR -> distance(a.getChar(at).code.toLong(), b.getChar(at).code.toLong())
            BYTE, BOOLEAN -> distance(a.get(at).toLong(), b.get(at).toLong())
        }

    /** Exact up to the conversion; as unsigned the difference of any two longs fits. */
    private fun distance(
        a: Long,
        b: Long,
    ): Double = (maxOf(a, b) - minOf(a, b)).toULong().toDouble()
}
