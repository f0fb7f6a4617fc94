package dev.cairn.item

import dev.cairn.codec.ArrayKind
import dev.cairn.codec.Meaning

/** Constants of an enum, which are stored as their ordinals: one byte each, or two bytes if there are more than 128 constants. */
internal class EnumForm<E : Enum<E>>(
    private val table: String,
    override val name: String,
    private val type: Class<E>,
) : ColumnForm<Array<E>> {
    private val constants: Array<E> = type.enumConstants
    private val isSmall = constants.size <= Byte.MAX_VALUE + 1

    override val columns: List<Column<*>> =
        Meaning.Constants(constants.map { it.name }).let { meaning ->
            listOf(if (isSmall) Column(name, ArrayKind.BYTES, meaning) else Column(name, ArrayKind.SHORTS, meaning))
        }

    @Suppress("UNCHECKED_CAST") // The new array has the class that is passed.
    override fun create(rowCount: Int): Array<E> =
        java.lang.reflect.Array
            .newInstance(type, rowCount) as Array<E>

    override fun encode(
        array: Array<E>,
        count: Int,
    ): List<Any> =
        listOf(
            if (isSmall) {
                ByteArray(count) { placeOf(array[it], it).toByte() }
            } else {
                ShortArray(count) { placeOf(array[it], it).toShort() }
            },
        )

    private fun placeOf(
        constant: E?,
        row: Int,
    ): Int =
        constant?.ordinal ?: throw notStorable(
            table,
            "the column '$name' of the table '$table' holds constants of ${type.simpleName}, but that of row $row is " +
                "null. Give the enum a constant for it.",
        )

    override fun decode(
        arrays: List<Any>,
        count: Int,
    ): Array<E> = create(count).also { found -> repeat(count) { found[it] = constants[placeIn(arrays.single(), it)] } }

    companion object {
        /** The place of a row's constant in an array of a column of constants. */
        fun placeIn(
            array: Any,
            row: Int,
        ): Int = if (array is ByteArray) array[row].toInt() else (array as ShortArray)[row].toInt()
    }
}
