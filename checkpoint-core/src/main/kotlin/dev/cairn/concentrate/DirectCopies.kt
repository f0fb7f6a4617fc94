package dev.cairn.concentrate

import dev.cairn.concentrate.Request.Companion.NONE

/**
 * On the concentrator with the number [server]: copies the bytes of ranks in its own process into its memory, window by window.
 *
 * @param requests those of the ranks, which are in memory
 */
internal class DirectCopies(
    set: ServedFile,
    span: ServedFile.Span,
    private val server: Int,
    private val requests: Map<Int, Request>,
) {
    private val schedule =
        WindowSchedule(set, span) { number, from, to ->
            number == server && requests.values.any { it.nextByte(from) < to }
        }

    /** The next window in which any of the ranks has bytes; [NONE] if there are no more. */
    val next: Long get() = schedule.nextFor(server)

    /** Copies what the ranks have of [slice] into its memory [share]. */
    fun place(slice: WindowSlice, share: WindowMemory, coverage: WindowCoverage) =
        slice.parts.forEach { part ->
            val start = share.positionOf(part.subFile, part.local, Math.toIntExact(part.length))
            val bytes = share.bytes.slice(start, part.length.toInt())
            for ((rank, request) in requests) {
                request.copyInto(bytes, part.offset, part.end)
                request.forEachExtent(part.offset, part.end) { offset, length ->
                    coverage.add(rank, start + (offset - part.offset).toInt(), length)
                }
            }
        }

    /** All of [window] was copied. */
    fun pass(window: Long) {
        if (next == window) schedule.pass(server)
    }
}
