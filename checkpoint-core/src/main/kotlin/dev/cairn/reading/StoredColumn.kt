package dev.cairn.reading

import dev.cairn.checkpoint.arrayKind
import dev.cairn.checkpoint.arraySize
import dev.cairn.item.Column
import dev.cairn.redistribution.Runs
import dev.cairn.state.ArrayKind
import dev.cairn.state.ElementType
import dev.cairn.state.Meaning
import java.io.IOException

/**
 * One column of a table, with the cells of rank 0 first. A column of constants holds their ordinals in the enum at the time of
 * the save. A text has a column for each eight bytes of it, named `name[0]` and so on. [StoredTable.forEachRow] returns
 * constants and texts as such.
 */
public class StoredColumn internal constructor(
    private val table: StoredTable,
    @get:JvmName("name") public val name: String,
    @get:JvmName("elementType") public val elementType: ElementType,
    internal val key: Int,
    internal val meaning: Meaning,
) {
    /** The program's name of the column; a text has several columns here. */
    internal val title: String get() = declared.title

    internal val declared: Column<*> get() = Column(name, ArrayKind.of(elementType), meaning)

    private val fullName get() = "${table.name}.$name"

    /** All cells, in an array such as `double[]`, which must hold the column's own [elementType]. */
    @Throws(IOException::class)
    public fun <A : Any> read(type: Class<A>): A = read(type, 0, arraySize(table.rowCount, "the column '$fullName'"))

    /** The cells of [rowCount] rows from [firstRow] on. Beside the array, it needs a frame of 1 MiB of memory. */
    @Throws(IOException::class)
    public fun <A : Any> read(
        type: Class<A>,
        firstRow: Long,
        rowCount: Int,
    ): A {
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
    public inline fun <reified A : Any> read(
        firstRow: Long,
        rowCount: Int,
    ): A = read(A::class.java, firstRow, rowCount)

    private fun advice(meaning: Meaning.Constants) =
        ", the places of constants among ${meaning.constants.joinToString()}, or get the constants row by row: " +
            "forEachRow and getEnum(\"$name\")"

    override fun toString(): String = "$name: $elementType"
}
