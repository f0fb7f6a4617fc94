package dev.cairn.item

import dev.cairn.state.Meaning
import java.lang.reflect.Array as AnyArray

/** A row of a table, to be read column by column. It is valid only during the call of the function to which it is passed, on that thread. */
public class Row internal constructor(private val table: String, private val rows: Rows) {
    internal var number = 0

    private val arrays =
        rows.columns
            .map { it.name }
            .zip(rows.arrays)
            .toMap()

    private val parts = HashMap<String, List<LongArray>>()

    public fun getBoolean(column: String): Boolean = array<BooleanArray>(column)[number]

    public fun getByte(column: String): Byte = array<ByteArray>(column)[number]

    public fun getShort(column: String): Short = array<ShortArray>(column)[number]

    public fun getChar(column: String): Char = array<CharArray>(column)[number]

    public fun getInt(column: String): Int = array<IntArray>(column)[number]

    public fun getLong(column: String): Long = array<LongArray>(column)[number]

    public fun getFloat(column: String): Float = array<FloatArray>(column)[number]

    public fun getDouble(column: String): Double = array<DoubleArray>(column)[number]

    /** The number in any column. */
    internal fun cell(column: String): Any = AnyArray.get(arrays.getValue(column), number)

    /** The text in a column of texts. */
    public fun getText(column: String): String = TextForm.textOf(textParts(column), number)

    /** The constant in a column of constants, which [type] must have. */
    public fun <E : Enum<E>> getEnum(column: String, type: Class<E>): E {
        val meaning =
            rows.columns.find { it.name == column }?.meaning as? Meaning.Constants ?: throw missing(column, "$type")
        val place = EnumForm.placeIn(arrays.getValue(column), number)
        val name = meaning.constants.getOrNull(place) ?: throw unfit(column, "the place $place of ${meaning.constants}")
        return type.enumConstants.find { it.name == name }
            ?: throw unfit(column, "'$name', which is not in ${type.name}")
    }

    private fun unfit(column: String, found: String) =
        IllegalArgumentException("table '$table': row $number holds in the column '$column' of constants $found")

    /** As the other one, for Kotlin. */
    @JvmSynthetic
    public inline fun <reified E : Enum<E>> getEnum(column: String): E = getEnum(column, E::class.java)

    private fun textParts(column: String): List<LongArray> =
        parts.getOrPut(column) {
            val names = rows.columns.filter { it.title == column && it.meaning is Meaning.TextPart }.map { it.name }
            if (names.isEmpty()) throw missing(column, "texts")
            names.map { arrays.getValue(it) as LongArray }
        }

    private inline fun <reified A : Any> array(column: String): A =
        arrays[column] as? A ?: throw missing(column, "${A::class.java.componentType}")

    private fun missing(column: String, type: String) =
        IllegalArgumentException(
            "table '$table' has no column '$column' of $type. Its columns are " +
                "${rows.columns.described()}.",
        )
}
