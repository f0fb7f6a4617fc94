package dev.cairn.item

import dev.cairn.codec.ArrayKind
import dev.cairn.event.DeclarationRefusedException

/** The program's side of a [table], whose rows the program reads as [R]. */
internal abstract class TableSource<R>(
    protected val table: String,
) {
    /** The representation of each column or component. */
    protected abstract val forms: List<ColumnForm<Any>>

    val columns: List<Column<*>> by lazy { forms.flatMap { it.columns } }

    /** The rows at this time; the arrays may be the program's own. */
    abstract fun rows(): Rows

    /** Gives the program new rows, whose columns are in any order. */
    abstract fun assign(rows: Rows)

    /** A function that returns the row of a number, valid until it is called again. */
    abstract fun reader(rows: Rows): (Int) -> R

    /** The first [count] elements of the program's [arrays], one for each of the [forms]. */
    protected fun encode(
        arrays: List<Any>,
        count: Int,
    ) = Rows(columns, forms.zip(arrays).flatMap { (form, array) -> form.encode(array, count) }.toMutableList(), count)

    /** Arrays for the program, one for each of the [forms]. */
    protected fun decode(rows: Rows): List<Any> = forms.map { it.decode(rows.arrays(it.columns), rows.count) }

    /** The form of the [title], such as "column 'x'", which has values of a [type]. */
    protected fun formOf(
        name: String,
        title: String,
        type: Class<*>,
        textSizes: Map<String, Int>,
    ): ColumnForm<Any> {
        val form: ColumnForm<*> =
            when {
                type == String::class.java -> TextForm(table, name, textSizes[name] ?: throw unlimited(name, title))
                type.isEnum -> enumForm(name, type)
                else -> NumberForm(Column(name, ArrayKind.of(type) ?: throw unfit(title, type)))
            }
        @Suppress("UNCHECKED_CAST") // Each form gets arrays of the type for which it is made.
        return form as ColumnForm<Any>
    }

    @Suppress("UNCHECKED_CAST") // The type is an enum; TimeUnit stands for any.
    private fun enumForm(
        name: String,
        type: Class<*>,
    ) = EnumForm(table, name, type as Class<java.util.concurrent.TimeUnit>)

    private fun unlimited(
        name: String,
        title: String,
    ) = DeclarationRefusedException(
        "table '$table' has texts in the $title: say how many bytes of UTF-8 they have at most, with " +
            "text(\"$name\", …) in the table",
    )

    private fun unfit(
        title: String,
        type: Class<*>,
    ) = DeclarationRefusedException(
        "table '$table' has columns of primitive types, texts and enums, but the $title is of ${type.name}",
    )
}
