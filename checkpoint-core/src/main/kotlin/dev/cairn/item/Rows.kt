package dev.cairn.item

import dev.cairn.redistribution.CellDigest
import dev.cairn.redistribution.Cells
import dev.cairn.redistribution.DigestFormula
import dev.cairn.redistribution.Widening
import dev.cairn.state.ArrayKind
import dev.cairn.state.Meaning

/**
 * The name, type and meaning of one array of cells. A column of numbers has one array. A column of texts has several, each with
 * eight bytes of every row's text.
 */
internal class Column<A : Any>(val name: String, val kind: ArrayKind<A>, val meaning: Meaning = Meaning.Number) {
    val type get() = kind.type
    val schema get() = ColumnSchema(name, type.toString(), meaning)

    /** The program's name of the column. */
    val title: String get() = if (meaning is Meaning.TextPart) meaning.column else name

    fun create(rowCount: Int): Any = kind.create(rowCount)

    @Suppress("UNCHECKED_CAST") // Rows hold an array of each column's type.
    fun of(array: Any): A = array as A

    fun cells(array: Any): Cells = kind.cells(of(array))
}

/** The columns in words, as the program declared them: a text is one column. */
internal fun List<Column<*>>.described(): String =
    distinctBy { it.title }.joinToString { "${it.title}: ${it.meaning.of(it.type)}" }

/**
 * Rows of a table: the first [count] elements of each column's array.
 *
 * @property arrays one for each of [columns], in their order; the owner of the rows may replace them
 */
internal class Rows(val columns: List<Column<*>>, val arrays: MutableList<Any>, val count: Int) {
    fun cells(index: Int): Cells = columns[index].cells(arrays[index])

    /** The arrays of [wanted], which these rows have. */
    fun arrays(wanted: List<Column<*>>): List<Any> = wanted.map { checkNotNull(array(it.name)) }

    /** The array of the column [name], or null if there is none. */
    fun array(name: String): Any? = arrays.getOrNull(columns.indexOfFirst { it.name == name })

    /** The digest of these rows with their columns in the form in which they are stored. */
    fun digest(formula: DigestFormula, widenings: List<Widening>): CellDigest =
        formula.rows(columns.indices.map { cells(it).storedAs(widenings[it]) }, count)
}
