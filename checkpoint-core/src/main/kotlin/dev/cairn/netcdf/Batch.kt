package dev.cairn.netcdf

/**
 * The [records] that were gathered last, and what this rank has to write of them. Its worker writes that while the program goes on, or
 * the program itself does: whoever comes first.
 */
internal interface Batch {
    val records: LongRange

    /** Returns when all that this rank has to write is in the file and durable. */
    fun write()
}
