package dev.cairn.item

import dev.cairn.disk.sizeOf

/**
 * How one column of the program lies in arrays of primitives, which is what is stored. The program's array is one of primitives,
 * of texts or of constants.
 */
internal sealed interface ColumnForm<A : Any> {
    val name: String

    /** The arrays of primitives, in the order in which they are stored. */
    val columns: List<Column<*>>

    /** An array for the program. */
    fun create(rowCount: Int): A

    fun sizeOf(array: A): Int

    /** The first [count] elements as arrays for [columns]; those of primitives are the program's own. */
    fun encode(
        array: A,
        count: Int,
    ): List<Any>

    /** An array of the program's from arrays for [columns]. */
    fun decode(
        arrays: List<Any>,
        count: Int,
    ): A
}

/** A column of numbers is stored as it is. */
internal class NumberForm<A : Any>(
    private val column: Column<A>,
) : ColumnForm<A> {
    override val name get() = column.name
    override val columns get() = listOf(column)

    override fun create(rowCount: Int): A = column.kind.create(rowCount)

    override fun sizeOf(array: A): Int = column.kind.size(array)

    override fun encode(
        array: A,
        count: Int,
    ): List<Any> = listOf(array)

    override fun decode(
        arrays: List<Any>,
        count: Int,
    ): A = column.of(arrays.single())
}
