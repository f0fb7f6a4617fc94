package dev.cairn.output

import java.io.Closeable

/** Where the cells of one rank wait until they are written. */
internal interface Stage {
    /** Whether cells that should lie elsewhere wait in the memory of this rank. */
    val isFull: Boolean get() = false

    /** How many bytes a rank keeps on average before an append flushes. */
    val room: Long

    /** Collective: the run begins. */
    suspend fun begin() = Unit

    /** Takes the cells of [put]; returns it, or its place if the cells are no longer at hand. */
    fun keep(put: MemoryPut): PutPlace

    /** Calls [use] with [pending] cells, which can be read until it returns. */
    fun <T> reading(pending: PendingPuts, use: (List<Put>) -> T): T

    /**
     * Collective: takes [pending] cells, which are those of [records], into a batch.
     *
     * @param memory how many bytes of it a rank may keep in memory
     */
    suspend fun gather(records: LongRange, pending: PendingPuts, memory: Long): Batch

    /** The cells of the last batch are in the file. */
    fun clear() = Unit

    /** All cells are given up: the run begins again, or has ended. */
    fun drop() = Unit
}

/**
 * The [records] that were gathered last, and what this rank has to write of them. Its worker writes that while the program goes on, or
 * the program itself does, whichever is first. It owns the open file until all is written, or until it is closed, which gives up the rest.
 */
internal interface Batch : Closeable {
    val records: LongRange

    /** Returns when all that this rank has to write is in the file and durable. */
    fun write()
}
