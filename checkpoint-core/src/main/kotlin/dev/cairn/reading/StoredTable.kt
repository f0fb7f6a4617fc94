package dev.cairn.reading

import dev.cairn.checkpoint.ItemRecords
import dev.cairn.checkpoint.TableOfContents
import dev.cairn.checkpoint.digestFormula
import dev.cairn.checkpoint.meaningOf
import dev.cairn.checkpoint.wrongCount
import dev.cairn.item.LAYOUT_IDS
import dev.cairn.item.Row
import dev.cairn.item.described
import dev.cairn.redistribution.CellDigest
import dev.cairn.redistribution.DigestFormula
import dev.cairn.state.elementTypeOf
import java.io.IOException
import java.nio.ByteBuffer
import java.util.function.Consumer

/**
 * Unordered rows, stored column by column. They are numbered from 0, those of rank 0 first. While the table is read, a frame of
 * 1 MiB of each column is in memory; [forEachRow] needs the same amount a second time.
 */
public class StoredTable internal constructor(
    internal override val records: ItemRecords,
) : StoredItem() {
    @get:JvmName("columns")
    public val columns: List<StoredColumn> =
        described.columns.zip(records.keys) { column, columnKey ->
            StoredColumn(
                this,
                column.name,
                checkNotNull(elementTypeOf(column.elementType)),
                columnKey,
                meaningOf(column),
            )
        }

    @get:JvmName("rowCount")
    public val rowCount: Long get() = elementCount

    /** The index of the column that was declared to have unique ids; null if there is none. */
    internal val idColumn: Int? =
        columns.indexOfFirst { it.name == described.layout[LAYOUT_IDS] }.takeIf { it >= 0 }

    /** Lazy, so that later reads of the table do not count again. */
    private val soundness: Unit by lazy {
        requireCounts()
        for (rank in 0 until rankCount) columns.forEach { requireRows(it, rank) }
    }

    /** The column [name]. A column of texts is read row by row: [forEachRow] and [Row.getText]. */
    public fun column(name: String): StoredColumn =
        requireNotNull(columns.find { it.name == name }) {
            if (columns.any { it.title == name }) {
                "the column '$name' of the table '${this.name}' holds texts: read them row by row with forEachRow " +
                    "and getText(\"$name\")"
            } else {
                "the table '${this.name}' has no column '$name'. Its columns are " +
                    "${columns.map { it.declared }.described()}."
            }
        }

    /** Calls [use] with all rows, one after another, and then compares the digest. [use] must not keep a [Row]. */
    @Throws(IOException::class)
    public fun forEachRow(use: Consumer<Row>): Unit = forEachWindow { it.forEachRow(use) }

    /** Calls [use] with [rowCount] rows from [firstRow] on. [use] must not keep a [Row]. */
    @Throws(IOException::class)
    public fun forEachRow(
        firstRow: Long,
        rowCount: Long,
        use: Consumer<Row>,
    ): Unit = forEachWindow(rows(firstRow, rowCount)) { it.forEachRow(use) }

    internal override fun countElements() = (0 until rankCount).sumOf(::rowCount)

    internal fun rowCount(rank: Int): Long = columns.first().let { state.size(rank, it.key) / it.elementType.size }

    internal override fun digest(formula: DigestFormula): CellDigest = digestOf(formula) { }

    /** The numbers of [rowCount] rows from [firstRow] on. Refused if the table has not as many. */
    internal fun rows(
        firstRow: Long,
        rowCount: Long,
    ): LongRange {
        require(firstRow >= 0 && rowCount >= 0 && rowCount <= this.rowCount - firstRow) {
            "the table '$name' has ${this.rowCount} rows, not $rowCount from row $firstRow on"
        }
        return firstRow until firstRow + rowCount
    }

    /** Calls [use] with all rows in windows, and then compares the digest. [use] must not keep a window. */
    internal fun forEachWindow(use: (RowWindow) -> Unit) = requireDigest(digestOf(digestFormula, use))

    private fun digestOf(
        formula: DigestFormula,
        use: (RowWindow) -> Unit,
    ): CellDigest {
        var sum = CellDigest.NONE
        forEachWindow(0 until rowCount, columns) {
            sum = sum.plus(it.digest(formula))
            use(it)
        }
        return sum
    }

    /**
     * Calls [use] with [rows] of some columns, in windows that lie in one frame of each column. [use] must not keep a window.
     */
    internal fun forEachWindow(
        rows: LongRange,
        columns: List<StoredColumn> = this.columns,
        use: (RowWindow) -> Unit,
    ) {
        requireSound()
        var start = 0L
        for (rank in 0 until rankCount) {
            val end = start + rowCount(rank)
            val own = maxOf(rows.first, start) - start until minOf(rows.last + 1, end) - start
            forEachWindow(rank, own, columns, start, use)
            start = end
        }
    }

    private fun forEachWindow(
        rank: Int,
        rows: LongRange,
        columns: List<StoredColumn>,
        start: Long,
        use: (RowWindow) -> Unit,
    ) {
        val readers = if (rows.isEmpty()) emptyList() else columns.map { ColumnReader(it, rank) }
        var first = rows.first
        while (first <= rows.last) {
            val count = minOf(rows.last + 1 - first, WINDOW_ROWS - first % WINDOW_ROWS).toInt()
            use(RowWindow(columns, readers.map { it.cells(first, count) }, start + first, count))
            first += count
        }
    }

    /** Fails unless all columns have the same number of rows on each rank, and the total is that of the manifest. */
    internal fun requireSound() = soundness

    private fun requireRows(
        column: StoredColumn,
        rank: Int,
    ) {
        val expected = rowCount(rank) * column.elementType.size
        val found = state.size(rank, column.key)
        if (found != expected) {
            val item = "$name.${column.name}"
            throw wrongCount(state.file, item, "$expected bytes of rank $rank", "$found")
        }
    }

    private fun RowWindow.forEachRow(use: Consumer<Row>) {
        val row = Row(name, toRows())
        repeat(rowCount) {
            row.number = it
            use.accept(row)
        }
    }

    /** Reads a column of one rank from front to back, each frame once. */
    private inner class ColumnReader(
        private val column: StoredColumn,
        private val rank: Int,
    ) {
        private val size = state.size(rank, column.key)
        private val frame = ByteBuffer.allocate(minOf(size, FRAME_SIZE).toInt())
        private var index = -1

        /** A window never spans two frames: the number of rows in a frame is a multiple of that in a window. */
        fun cells(
            firstRow: Long,
            count: Int,
        ): ByteBuffer {
            val start = firstRow * column.elementType.size
            val wanted = (start / FRAME_SIZE).toInt()
            if (wanted != index) read(wanted)
            return frame.slice((start % FRAME_SIZE).toInt(), count * column.elementType.size)
        }

        private fun read(wanted: Int) {
            frame.clear().limit(minOf(FRAME_SIZE, size - wanted * FRAME_SIZE).toInt())
            state.readFrame(rank, column.key, wanted, frame)
            index = wanted
        }
    }
}

private const val FRAME_SIZE = TableOfContents.FRAME_SIZE.toLong()

/** The number of cells in a frame if they have the largest size. */
private const val WINDOW_ROWS = FRAME_SIZE / Long.SIZE_BYTES
