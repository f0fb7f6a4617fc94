package dev.cairn.concentrate

import dev.cairn.concentrate.Request.Companion.NONE

/** In which windows one rank has bytes for which concentrator, and how far it has come. Concentrators are numbered as in [set]. */
internal class ClientSchedule(
    private val set: ServedFile,
    private val request: Request,
    private val span: ServedFile.Span,
) {
    private val windows = List(set.concentrators.size) { mutableListOf<Long>() }
    private val done = IntArray(windows.size)

    init {
        var offset = request.nextByte(span.from)
        while (offset != NONE) {
            val window = set.windowOf(offset)
            val parts = set.partsOf(window, span)
            windows.filterIndexed { server, _ -> parts[server].any(::isAsked) }.forEach { it += window }
            offset = if (set.startOf(window + 1) < span.to) request.nextByte(set.startOf(window + 1)) else NONE
        }
    }

    /** The next window with bytes for any concentrator; [NONE] if there are no more. */
    val next: Long get() = windows.indices.minOf(::nextFor)

    fun nextFor(server: Int): Long = windows[server].getOrNull(done[server]) ?: NONE

    /** The next window for [server] comes now, which [nextFor] then no longer tells. */
    fun pass(server: Int) {
        done[server]++
    }

    /** Nothing more goes to [server]. */
    fun giveUp(server: Int) {
        done[server] = windows[server].size
    }

    /** The concentrators that get something in [window], each with its parts of the window. */
    fun dueIn(window: Long): List<Due> =
        set.partsOf(window, span).mapIndexedNotNull { server, parts ->
            if (nextFor(server) == window) Due(server, set.concentrators[server], parts) else null
        }

    private fun isAsked(part: ServedFile.Part) = request.nextByte(part.offset) < part.end

    /** What concerns one concentrator, the rank [rank], in one window. */
    class Due(
        val server: Int,
        val rank: Int,
        private val parts: List<ServedFile.Part>,
    ) {
        /** Puts what [request] has of these parts into [extents]. */
        fun list(
            request: Request,
            extents: Extents,
        ) {
            extents.clear()
            for (part in parts) {
                request.forEachExtent(part.offset, part.end) { offset, length ->
                    extents.add(part.subFile, part.local + offset - part.offset, length)
                }
            }
        }

        fun copy(copyPart: (from: Long, to: Long) -> Unit) = parts.forEach { copyPart(it.offset, it.end) }
    }
}
