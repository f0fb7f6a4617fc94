package dev.cairn.state

/** Constants of an enum, which are stored as their places among all: in a byte each, or in two where there are more than 128. */
internal class EnumForm<E : Enum<E>>(
    override val name: String,
    private val type: Class<E>,
) : ColumnForm<Array<E>> {
    private val constants: Array<E> = type.enumConstants
    private val isSmall = constants.size <= Byte.MAX_VALUE + 1

    override val columns: List<Column<*>> =
        Meaning.Constants(constants.map { it.name }).let { meaning ->
            listOf(if (isSmall) Column(name, ArrayKind.BYTES, meaning) else Column(name, ArrayKind.SHORTS, meaning))
        }

    @Suppress("UNCHECKED_CAST") // Java makes arrays of the class that it is told.
    override fun create(rowCount: Int): Array<E> =
        java.lang.reflect.Array
            .newInstance(type, rowCount) as Array<E>

    override fun sizeOf(array: Array<E>): Int = array.size

    override fun encode(
        array: Array<E>,
        count: Int,
    ): List<Any> =
        listOf(
            if (isSmall) {
                ByteArray(
                    count,
                ) { array[it].ordinal.toByte() }
            } else {
                ShortArray(count) { array[it].ordinal.toShort() }
            },
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
