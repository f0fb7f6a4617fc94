package dev.cairn.item

import dev.cairn.redistribution.Cells

/** A field of rows that leads to rows, and is stored as a column of numbers. */
internal sealed interface RowLink {
    val field: GraphColumn

    /** The table to whose rows it leads. */
    val target: BoundObjects<*>

    /** The value of its column that stands for null. */
    val none: Any

    /** The value of its column that stands for no rows in a list; null if it holds none. */
    val empty: Any? get() = null

    /** The class of what it leads to. */
    val type: Class<*>

    /** How it is stored. */
    val form: ColumnForm<*>

    /** To which rows it leads, and how its column names them, for the layout of the table. */
    val inWords: String

    /** To what it leads in a [row] that has it, and this [number]; each may be null. */
    fun heldBy(row: Any, number: Int): List<Any?>

    /** Lets a [row] that has it hold again what it holds now, when this is called later. */
    fun holding(row: Any): () -> Unit {
        val held = field.get(row)
        return { if (field.isOpenIn(row)) field.set(row, held) }
    }

    /** The columns in these [rows]. */
    fun cells(rows: Array<Any?>): LinkedCells

    /** What the field holds in the row of a number, of those that a restore has [stored]. */
    fun valuesOf(stored: Rows): LinkedValues
}

/** What a field holds in each row. */
internal fun interface LinkedValues {
    fun of(row: Int): Any?
}

/**
 * The [cells] of its columns.
 *
 * @property away the ids in them of rows on other ranks; null where it leads to none of these
 * @property checksums those of the lists of rows; null if it leads to single ones
 */
internal class LinkedCells(val cells: List<Cells>, val away: AwayIds? = null, val checksums: LongArray? = null)
