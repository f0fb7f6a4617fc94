package dev.cairn.cli

import dev.cairn.checkpoint.TableOfContents
import dev.cairn.checkpoint.describedColumns
import dev.cairn.reading.FieldWindows
import dev.cairn.reading.StoredBytes
import dev.cairn.reading.StoredField
import dev.cairn.reading.StoredItem
import dev.cairn.reading.StoredTable
import dev.cairn.state.ElementType.BYTE
import java.io.InputStream
import java.nio.ByteBuffer
import java.util.BitSet

/** The differences of this item from [other], which has the same name. */
internal fun StoredItem.compareWith(other: StoredItem): ComparedItem {
    val difference = schemaDifference(other)
    return when {
        difference != null -> ComparedItem(name, note = difference)
        this is StoredField && other is StoredField -> compareFields(this, other)
        this is StoredTable && other is StoredTable -> compareTables(this, other)
        this is StoredBytes && other is StoredBytes -> compareBytes(this, other)
        else -> compareDigests(this, other)
    }
}

private fun StoredItem.schemaDifference(other: StoredItem): String? {
    val (a, b) = schema() to other.schema()
    return if (a == b) null else "$a is not $b"
}

private fun StoredItem.schema(): String {
    val columns = described.describedColumns()
    return "${described.kind} ${described.elementType} ${described.shape.joinToString("x")}$columns".trim()
}

private fun compareFields(a: StoredField, b: StoredField): ComparedItem {
    val one = FieldWindows(a)
    val other = FieldWindows(b)
    val cells = CellComparison(a.elementType)
    var cellCount = 0L
    for (window in 0 until one.count) cellCount += compareWindow(one, other, window, cells)
    val first = cells.first?.let { a.shape.cell(it).joinToString(", ", "(", ")") }
    val note = if (cellCount < a.shape.cellCount()) "sparse" else null
    return ComparedItem(a.name, cellCount, cells.count, cells.largestDifference()?.toString(), first, note)
}

/** A cell that only one of them has differs. Returns how many cells either of them has. */
private fun compareWindow(one: FieldWindows, other: FieldWindows, window: Int, cells: CellComparison): Long {
    val first = one.firstCell(window)
    val (a, b) = one.read(window) to other.read(window)
    val count = (one.firstCell(window + 1) - first).toInt()
    val size = if (count == 0) 0 else a.limit() / count
    var held = 0L
    forEachStretch(one.storedPlaces(window), other.storedPlaces(window), count) { from, to, isInOne, isInOther ->
        when {
            isInOne && isInOther -> cells.add(a.stretch(from, to, size), b.stretch(from, to, size), first + from)
            isInOne || isInOther -> cells.addMissing(first + from, to - from.toLong())
        }
        if (isInOne || isInOther) held += to - from
    }
    return held
}

private fun ByteBuffer.stretch(from: Int, to: Int, size: Int) = slice(from * size, (to - from) * size)

/** Cuts the places below [count] where either of two sets begins or ends; null is the set of all. */
private inline fun forEachStretch(
    one: BitSet?,
    other: BitSet?,
    count: Int,
    use: (from: Int, to: Int, isInOne: Boolean, isInOther: Boolean) -> Unit,
) {
    var from = 0
    while (from < count) {
        val to = minOf(count, one.endOfStretch(from), other.endOfStretch(from))
        use(from, to, one?.get(from) ?: true, other?.get(from) ?: true)
        from = to
    }
}

private fun BitSet?.endOfStretch(from: Int): Int =
    when {
        this == null -> Int.MAX_VALUE
        get(from) -> nextClearBit(from)
        else -> nextSetBit(from).let { if (it < 0) Int.MAX_VALUE else it }
    }

private fun compareTables(a: StoredTable, b: StoredTable): ComparedItem {
    val ids = a.idColumn ?: b.idColumn
    val found = if (ids == null) compareBags(a, b) else RowComparison(a, b, ids).run()
    return when {
        !found.isSame || !a.isOrdered || a.rankCount != b.rankCount -> found
        a.isReordered(b) -> ComparedItem(a.name, found.elementCount, note = "the same rows in another order")
        else -> ComparedItem(a.name, found.elementCount, differingCount = 0)
    }
}

/** Rows without ids cannot be matched one by one. */
private fun compareBags(a: StoredTable, b: StoredTable): ComparedItem {
    val isSame = a.digest(b.digestFormula) == b.digest()
    val (count, otherCount) = a.countElements() to b.countElements()
    val note =
        when {
            isSame -> "the same rows in any order"
            count == otherCount -> "other rows; only a column of unique ids could identify them"
            else -> "$count rows are not $otherCount"
        }
    return ComparedItem(a.name, maxOf(count, otherCount), if (isSame) 0 else null, note = note)
}

private fun compareBytes(a: StoredBytes, b: StoredBytes): ComparedItem =
    when {
        !a.isPrivate -> compareRanks(a, b, ranks = 0..0)
        a is StoredBytes.Streams && b is StoredBytes.Streams -> compareStreams(a, b)
        a.rankCount == b.rankCount -> compareRanks(a, b, 0 until a.rankCount)
        else -> ComparedItem(a.name, note = "private to each rank, of ${a.rankCount} and of ${b.rankCount} ranks")
    }

private fun compareRanks(a: StoredBytes, b: StoredBytes, ranks: IntRange): ComparedItem {
    var count = 0L
    var first: String? = null
    for (rank in ranks) {
        val cells = comparisonOf(a.open(rank..rank), b.open(rank..rank))
        count += cells.count
        first = first ?: cells.first?.let { if (a.isPrivate) "byte $it of rank $rank" else "byte $it" }
    }
    return ComparedItem(a.name, maxOf(a.countBytes(), b.countBytes()), count, first = first)
}

private fun compareStreams(a: StoredBytes.Streams, b: StoredBytes.Streams): ComparedItem {
    val bytes = if (a.rankCount == b.rankCount) compareRanks(a, b, 0 until a.rankCount) else compareAsOne(a, b)
    return if (bytes.isSame) bytes else bytes.withObjects(a, b)
}

/** Streams are dealt to other ranks in order, so their concatenation over all ranks may be the same. */
private fun compareAsOne(a: StoredBytes, b: StoredBytes): ComparedItem {
    val cells = comparisonOf(a.open(0 until a.rankCount), b.open(0 until b.rankCount))
    return ComparedItem(
        a.name,
        maxOf(a.countBytes(), b.countBytes()),
        cells.count,
        first = cells.first?.let { "byte $it" },
        note = "the streams of all ranks one after another",
    )
}

/** Bytes that only one of them has differ, too. */
private fun comparisonOf(a: InputStream, b: InputStream): CellComparison {
    val cells = CellComparison(BYTE)
    var start = 0L
    do {
        val one = a.readNBytes(TableOfContents.FRAME_SIZE)
        val other = b.readNBytes(TableOfContents.FRAME_SIZE)
        val shorter = minOf(one.size, other.size)
        val longer = maxOf(one.size, other.size)
        cells.add(ByteBuffer.wrap(one), ByteBuffer.wrap(other), start)
        cells.addMissing(start + shorter, longer - shorter.toLong())
        start += longer
    } while (longer > 0)
    return cells
}

/** For an unknown kind, frames are verified and digests compared. */
private fun compareDigests(a: StoredItem, b: StoredItem): ComparedItem {
    a.digest()
    b.digest()
    val isSame = a.described.digest == b.described.digest
    val note =
        when {
            a.digestFormula != b.digestFormula -> "saved in different formats, whose digests cannot be compared"
            isSame -> "by its digest"
            else -> "the digests differ"
        }
    return ComparedItem(a.name, a.described.elementCount, if (isSame) 0 else null, note = note)
}
