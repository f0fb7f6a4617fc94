package dev.cairn.item

import dev.cairn.redistribution.CellDigest
import dev.cairn.redistribution.Cells
import dev.cairn.redistribution.DigestFormula
import dev.cairn.redistribution.Runs
import dev.cairn.redistribution.Widening
import dev.cairn.state.ArrayKind
import dev.cairn.state.ElementType
import dev.cairn.state.Meaning
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.util.zip.CRC32C

/**
 * The name, type and meaning of one array of cells. A column of numbers has one array. A column of texts has several, each with
 * eight bytes of every row's text.
 */
internal class Column<A : Any>(val name: String, val kind: ArrayKind<A>, val meaning: Meaning = Meaning.Number) {
    val type get() = kind.type
    val schema get() = ColumnSchema(name, type.toString(), meaning)

    /** The program's name of the column. */
    val title: String
        get() =
            when (meaning) {
                is Meaning.TextPart -> meaning.column
                is Meaning.ListChecksum -> meaning.column
                else -> name
            }

    fun create(rowCount: Int): Any = kind.create(rowCount)

    @Suppress("UNCHECKED_CAST") // Rows hold an array of each column's type.
    fun of(array: Any): A = array as A

    fun cells(array: Any): Cells = kind.cells(of(array))
}

/** The columns in words, as the program declared them: a text is one column. */
internal fun List<Column<*>>.described(): String =
    distinctBy { it.title }.joinToString { "${it.title}: ${it.meaning.of(it.type)}" }

/** Rows of a table that are saved: the cells of each of its [columns] can be read. */
internal interface SavedRows {
    val columns: List<Column<*>>
    val count: Int

    /** Checksums of what each row holds in its lists, as they were read. */
    val listChecksums: Map<RowLists, LongArray> get() = emptyMap()

    /** The ids of rows on other ranks to which they lead, one for each column that may lead to such. */
    val away: List<AwayIds> get() = emptyList()

    fun cells(index: Int): Cells

    /** Whether [other] rows of the same columns are the same, in whatever order. */
    fun hasSameRows(other: SavedRows): Boolean = count == other.count && digest() == other.digest()

    private fun digest() = DigestFormula.NEWEST.rows(columns.indices.map(::cells), count)

    /** The numbers in the column at [index], which are longs or ints. */
    fun longs(index: Int): LongArray {
        val numbers = LongArray(count)
        val isLong = columns[index].type == ElementType.LONG
        forEachWindow(index) { first, cells ->
            var row = first
            while (cells.hasRemaining()) numbers[row++] = if (isLong) cells.getLong() else cells.getInt().toLong()
        }
        return numbers
    }

    /** The checksum of the column at [index], which depends on the order of the rows. */
    fun checksum(index: Int): Long {
        val checksum = CRC32C()
        forEachWindow(index) { _, cells -> checksum.update(cells) }
        return checksum.value
    }

    /** The first row, and the index of the column, in which [other] rows of the same columns differ; null if all are the same. */
    fun firstDifference(other: SavedRows): Pair<Int, Int>? {
        for (index in columns.indices) {
            val its = other.cells(index)
            val size = its.elementSize()
            val there = ByteBuffer.allocate(WINDOW_ROWS * size)
            forEachWindow(index) { first, here ->
                its.copyTo(there.clear().limit(here.limit()), Runs.row(first.toLong(), 0, here.limit() / size))
                val at = here.mismatch(there)
                if (at >= 0) return first + at / size to index
            }
        }
        return null
    }
}

/** Checksums of [rows] in their order, as the program may change the arrays that it gets. */
internal class ColumnChecksums(rows: SavedRows) {
    private val count = rows.count
    private val titles = rows.columns.map { it.title }
    private val checksums = rows.columns.indices.map(rows::checksum)

    /** What differs in the rows [given] before, as the end of a sentence; null if nothing does. */
    fun differenceFrom(given: ColumnChecksums): String? {
        if (count != given.count) return "the functions return $count rows, not ${given.count}"
        val changed = titles.indices.find { checksums[it] != given.checksums[it] } ?: return null
        return "its column '${titles[changed]}' has other values"
    }
}

/** Calls [use] with the number of a row, and the cells of that and some further ones as little-endian bytes. */
private inline fun SavedRows.forEachWindow(index: Int, use: (first: Int, cells: ByteBuffer) -> Unit) {
    val cells = cells(index)
    val window = ByteBuffer.allocate(WINDOW_ROWS * cells.elementSize()).order(LITTLE_ENDIAN)
    for (first in 0 until count step WINDOW_ROWS) {
        val size = minOf(WINDOW_ROWS, count - first)
        cells.copyTo(window.clear().limit(size * cells.elementSize()), Runs.row(first.toLong(), 0, size))
        use(first, window)
    }
}

private const val WINDOW_ROWS = 1 shl 10

/** Rows whose [cells] are read where they are, such as fields of objects. */
internal class ReadRows(
    override val columns: List<Column<*>>,
    private val cells: List<Cells>,
    override val count: Int,
    override val listChecksums: Map<RowLists, LongArray>,
    override val away: List<AwayIds>,
) : SavedRows {
    override fun cells(index: Int) = cells[index]
}

/**
 * Rows of a table: the first [count] elements of each column's array.
 *
 * @property arrays one for each of [columns], in their order; the owner of the rows may replace them
 */
internal class Rows(override val columns: List<Column<*>>, val arrays: MutableList<Any>, override val count: Int) :
    SavedRows {
    override fun cells(index: Int): Cells = columns[index].cells(arrays[index])

    /** The arrays of [wanted], which these rows have. */
    fun arrays(wanted: List<Column<*>>): List<Any> = wanted.map { checkNotNull(array(it.name)) }

    /** The array of the column [name], or null if there is none. */
    fun array(name: String): Any? = arrays.getOrNull(columns.indexOfFirst { it.name == name })

    /** The digest of these rows with their columns in the form in which they are stored. */
    fun digest(formula: DigestFormula, widenings: List<Widening>): CellDigest =
        formula.rows(columns.indices.map { cells(it).storedAs(widenings[it]) }, count)
}
