package dev.cairn

/** The value of a cell of two dimensions, from its global indices. A pure function, called by the rank that owns the cell. */
public fun interface CellValue {
    @Throws(Exception::class)
    public fun at(i: Long, j: Long): Double

    /** The value of a cell of three dimensions. */
    public fun interface InSpace {
        @Throws(Exception::class)
        public fun at(i: Long, j: Long, k: Long): Double
    }
}
