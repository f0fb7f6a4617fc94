package dev.cairn.sion.fuzz

import dev.cairn.sion.fixture.allocatedBytes

/**
 * What looking at files of [size] bytes may cost. Work is counted and not timed, so that an input is too dear on every
 * machine or on none.
 */
class Bounds private constructor(
    private val size: Int,
    private val mostOperations: Long,
    private val mostReads: Long,
    private val smallChange: Long,
) {
    private var operations = 0L
    private var bytesRead = 0L

    /** To be called by the store for each of its operations. */
    fun count(byteCount: Int) {
        operations++
        bytesRead += byteCount
        if (operations > mostOperations) throw TooMuchWork("$operations operations on files of $size bytes")
        if (bytesRead > mostReads) throw TooMuchWork("$bytesRead bytes read from files of $size bytes")
    }

    /** Runs [block], which may allocate so many bytes for each byte of the files. */
    fun <T> allocating(perByte: Int, block: () -> T): T = allocating(perByte, 0, block)

    /** The same, and [more] bytes whatever the files hold. */
    fun <T> allocating(perByte: Int, more: Long, block: () -> T): T {
        val most = smallChange + perByte.toLong() * size + more
        val before = allocatedBytes()
        val result = runCatching(block)
        val found = allocatedBytes() - before
        if (result.exceptionOrNull() !is Error && found > most) {
            throw TooMuchMemory("$found bytes allocated, more than $most, for files of $size bytes")
        }
        return result.getOrThrow()
    }

    companion object {
        /** What costs the same whatever the files hold: views, paths, messages, stack traces, small buffers. */
        private const val SMALL_CHANGE = 128L * 1024

        /** For readers that know where everything lies. */
        fun ofReading(size: Int) = Bounds(size, 1_000L + 4L * size, SMALL_CHANGE + 64L * size, SMALL_CHANGE)

        /** For the search through files that were not closed, which counts what it does and can be ended. */
        fun ofSearch(size: Int) =
            Bounds(size, 300_000L + 160L * size, mostSearched(size) + 64L * size, 16 * SMALL_CHANGE)

        /** Enough for a thousand chunks, of which each counts as a page. */
        fun mostSearched(size: Int): Long = (1L shl 22) + 64L * size
    }
}

/** An endless loop that reads, or one that is as good as endless. */
class TooMuchWork(what: String) : Error(what)

/** Something was allocated before its size was compared with the file's. */
class TooMuchMemory(what: String) : Error(what)
