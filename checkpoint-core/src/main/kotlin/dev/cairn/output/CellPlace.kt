package dev.cairn.output

/**
 * What a byte of a file belongs to.
 *
 * @property record null if [variable] has no records
 * @property cell null for padding behind the cells
 */
internal class CellPlace(
    private val variable: FileVariable,
    private val record: Long?,
    private val cell: List<Long>?,
) {
    override fun toString(): String {
        val whole = "variable '${variable.name}'"
        val part = if (record == null) whole else "record $record of $whole"
        return when {
            cell == null -> "the padding behind $part"
            variable.isSingle -> part
            else -> "cell $cell of $part"
        }
    }
}

/** The place of the byte [position]; null if it is in the header, or behind a variable without records. Pure. */
internal fun OutputPlan.placeOf(position: Long): CellPlace? = variables.firstNotNullOfOrNull { it.placeOf(position) }

private fun FileVariable.placeOf(position: Long): CellPlace? {
    val record = recordAt(position)
    val within = position - offset(record)
    if (within !in 0 until byteCount + padding) return null
    val cell = if (within < byteCount) shape.cell(within / variable.type().size()).asList() else null
    return CellPlace(this, if (hasRecords) record else null, cell)
}
