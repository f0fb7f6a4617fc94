package dev.cairn.item

/**
 * The representation of one column of the program by arrays of primitives, which are stored. The program's own array holds
 * primitives, texts or constants.
 */
internal sealed interface ColumnForm<A : Any> {
    val name: String

    /** The arrays of primitives, in the order in which they are stored. */
    val columns: List<Column<*>>

    /** An array for the program. */
    fun create(rowCount: Int): A

    /** The first [count] elements as arrays for [columns]; an array of primitives is the program's own. */
    fun encode(
        array: A,
        count: Int,
    ): List<Any>

    /** An array for the program, made from arrays for [columns]. */
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

    override fun encode(
        array: A,
        count: Int,
    ): List<Any> = listOf(array)

    override fun decode(
        arrays: List<Any>,
        count: Int,
    ): A = column.of(arrays.single())
}
