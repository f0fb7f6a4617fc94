package dev.cairn

/** The value of a cell of two dimensions, from its global indices. */
public fun interface CellValue {
    public fun at(
        i: Long,
        j: Long,
    ): Double
}
