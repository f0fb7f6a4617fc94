package dev.cairn.reading

import dev.cairn.checkpoint.ItemRecords
import dev.cairn.checkpoint.TableOfContents
import dev.cairn.checkpoint.arrayKind
import dev.cairn.checkpoint.arraySize
import dev.cairn.checkpoint.digestFormula
import dev.cairn.checkpoint.meaningOf
import dev.cairn.checkpoint.wrongCount
import dev.cairn.item.LAYOUT_IDS
import dev.cairn.item.Row
import dev.cairn.item.described
import dev.cairn.item.knownKind
import dev.cairn.redistribution.CellDigest
import dev.cairn.redistribution.DigestFormula
import dev.cairn.redistribution.Runs
import dev.cairn.state.ArrayKind
import dev.cairn.state.ElementType
import dev.cairn.state.Meaning
import dev.cairn.state.elementTypeOf
import java.io.IOException
import java.nio.ByteBuffer
import java.util.function.Consumer
import dev.cairn.item.Column as DeclaredColumn

/**
 * Unordered rows, stored column by column. They are numbered from 0, those of rank 0 first. While the table is read, a frame of
 * 1 MiB of each column is in memory; [forEachRow] needs the same amount a second time.
 */
public class StoredTable internal constructor(internal override val records: ItemRecords) : StoredItem() {
    @get:JvmName("columns")
    public val columns: List<StoredTable.Column> =
        described.columns.zip(records.keys) { column, columnKey ->
            StoredTable.Column(
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
    public fun column(name: String): StoredTable.Column =
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
    public fun forEachRow(firstRow: Long, rowCount: Long, use: Consumer<Row>): Unit =
        forEachWindow(rows(firstRow, rowCount)) { it.forEachRow(use) }

    /** Whether the order of its rows is state. */
    internal val isOrdered: Boolean get() = described.knownKind()?.isOrdered(described) == true

    /** Whether [other], which has the same rows on as many ranks, has them in another order. */
    internal fun isReordered(other: StoredTable): Boolean =
        (0 until rankCount).any { rank ->
            columns.zip(other.columns).any { (a, b) ->
                a.checksums(rank) !=
                    b.checksums(rank)
            }
        }

    internal override fun countElements() = (0 until rankCount).sumOf(::rowCount)

    internal fun rowCount(rank: Int): Long = columns.first().let { state.size(rank, it.key) / it.elementType.size }

    internal override fun digest(formula: DigestFormula): CellDigest = digestOf(formula) { }

    /** The numbers of [rowCount] rows from [firstRow] on. Refused if the table has not as many. */
    internal fun rows(firstRow: Long, rowCount: Long): LongRange {
        require(firstRow >= 0 && rowCount >= 0 && rowCount <= this.rowCount - firstRow) {
            "the table '$name' has ${this.rowCount} rows, not $rowCount from row $firstRow on"
        }
        return firstRow until firstRow + rowCount
    }

    /** Calls [use] with all rows in windows, and then compares the digest. [use] must not keep a window. */
    internal fun forEachWindow(use: (RowWindow) -> Unit) = requireDigest(digestOf(digestFormula, use))

    private fun digestOf(formula: DigestFormula, use: (RowWindow) -> Unit): CellDigest {
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
        columns: List<StoredTable.Column> = this.columns,
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
        columns: List<StoredTable.Column>,
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

    private fun requireRows(column: StoredTable.Column, rank: Int) {
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
    private inner class ColumnReader(private val column: StoredTable.Column, private val rank: Int) {
        private val size = state.size(rank, column.key)
        private val frame = ByteBuffer.allocate(minOf(size, FRAME_SIZE).toInt())
        private var index = -1

        /** A window never spans two frames: the number of rows in a frame is a multiple of that in a window. */
        fun cells(firstRow: Long, count: Int): ByteBuffer {
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

    /**
     * One column of a table, with the cells of rank 0 first. A column of constants holds their ordinals in the enum at the time of
     * the save. A text has a column for each eight bytes of it, named `name[0]` and so on. [StoredTable.forEachRow] returns
     * constants and texts as such.
     */
    public class Column internal constructor(
        private val table: StoredTable,
        @get:JvmName("name") public val name: String,
        @get:JvmName("elementType") public val elementType: ElementType,
        internal val key: Int,
        internal val meaning: Meaning,
    ) {
        /** The program's name of the column; a text has several columns here. */
        internal val title: String get() = declared.title

        internal val declared: DeclaredColumn<*> get() = DeclaredColumn(name, ArrayKind.of(elementType), meaning)

        private val fullName get() = "${table.name}.$name"

        internal fun checksums(rank: Int): List<Int> =
            table.state.contents.tables[rank]
                .entry(key)
                ?.checksums
                .orEmpty()

        /** All cells, in an array such as `double[]`, which must hold the column's own [elementType]. */
        @Throws(IOException::class)
        public fun <A : Any> read(type: Class<A>): A =
            read(type, 0, arraySize(table.rowCount, "the column '$fullName'"))

        /** The cells of [rowCount] rows from [firstRow] on. Beside the array, it needs a frame of 1 MiB of memory. */
        @Throws(IOException::class)
        public fun <A : Any> read(type: Class<A>, firstRow: Long, rowCount: Int): A {
            val kind = arrayKind(type, elementType, fullName, (meaning as? Meaning.Constants)?.let(::advice).orEmpty())
            val rows = table.rows(firstRow, rowCount.toLong())
            table.requireSound()
            val array = kind.create(rowCount)
            val cells = kind.cells(array)
            table.forEachWindow(rows, listOf(this)) {
                cells.copyFrom(it.cells.single(), Runs.row(it.firstRow - firstRow, 0, it.rowCount))
            }
            return array
        }

        /** As the other one, for Kotlin: `column.read<DoubleArray>()`. */
        @Throws(IOException::class)
        public inline fun <reified A : Any> read(): A = read(A::class.java)

        /** As the other one, for Kotlin: `column.read<DoubleArray>(0, 100)`. */
        @Throws(IOException::class)
        public inline fun <reified A : Any> read(firstRow: Long, rowCount: Int): A =
            read(A::class.java, firstRow, rowCount)

        private fun advice(meaning: Meaning.Constants) =
            ", the places of constants among ${meaning.constants.joinToString()}, or get the constants row by row: " +
                "forEachRow and getEnum(\"$name\")"

        override fun toString(): String = "$name: $elementType"
    }
}

private const val FRAME_SIZE = TableOfContents.FRAME_SIZE.toLong()

/** The number of cells in a frame if they have the largest size. */
private const val WINDOW_ROWS = FRAME_SIZE / Long.SIZE_BYTES
