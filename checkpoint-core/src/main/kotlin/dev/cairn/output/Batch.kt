package dev.cairn.output

import java.io.Closeable

/**
 * The [records] that were gathered last, and what this rank has to write of them. Its worker writes that while the program goes on, or
 * the program itself does, whichever is first. It owns the open file until all is written, or until it is closed, which gives up the rest.
 */
internal interface Batch : Closeable {
    val records: LongRange

    /** Returns when all that this rank has to write is in the file and durable. */
    fun write()
}
