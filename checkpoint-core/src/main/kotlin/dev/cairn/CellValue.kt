package dev.cairn

/** The value of a cell of two dimensions, from its global indices. */
public fun interface CellValue {
    public fun at(
        i: Long,
        j: Long,
    ): Double

    /** The value of a cell of one dimension. */
    public fun interface OnLine {
        public fun at(i: Long): Double
    }

    /** The value of a cell of three dimensions. */
    public fun interface InSpace {
        public fun at(
            i: Long,
            j: Long,
            k: Long,
        ): Double
    }
}
