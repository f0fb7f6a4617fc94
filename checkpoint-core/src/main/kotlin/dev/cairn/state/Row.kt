package dev.cairn.state

/** Says which rank is to have a row, of as many ranks as it is told of: a pure function, the same on every rank. */
public fun interface RowOwner<R> {
    public fun rankOf(
        row: R,
        rankCount: Int,
    ): Int
}

/** A row of a table, to be read column by column. It is only valid while the function runs that it was passed to. */
public class Row internal constructor(
    private val table: String,
    private val rows: Rows,
) {
    internal var number = 0

    private val arrays =
        rows.columns
            .map { it.name }
            .zip(rows.arrays)
            .toMap()

    public fun getBoolean(column: String): Boolean = array<BooleanArray>(column)[number]

    public fun getByte(column: String): Byte = array<ByteArray>(column)[number]

    public fun getShort(column: String): Short = array<ShortArray>(column)[number]

    public fun getChar(column: String): Char = array<CharArray>(column)[number]

    public fun getInt(column: String): Int = array<IntArray>(column)[number]

    public fun getLong(column: String): Long = array<LongArray>(column)[number]

    public fun getFloat(column: String): Float = array<FloatArray>(column)[number]

    public fun getDouble(column: String): Double = array<DoubleArray>(column)[number]

    private inline fun <reified A : Any> array(column: String): A =
        arrays[column] as? A ?: throw IllegalArgumentException(
            "table '$table' has no column '$column' of ${A::class.java.componentType}. Its columns are " +
                "${rows.columns.joinToString { "${it.schema}" }}.",
        )
}
