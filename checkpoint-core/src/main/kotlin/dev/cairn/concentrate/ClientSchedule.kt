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
        val found = List(windows.size) { sortedSetOf<Long>() }
        set.forEachPiece(span) { server, window, from, to -> if (request.nextByte(from) < to) found[server] += window }
        found.zip(windows) { ofServer, list -> list += ofServer }
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
        set.concentrators.mapIndexedNotNull { server, rank ->
            if (nextFor(server) == window) Due(server, rank, set.partsOf(server, window, span)) else null
        }

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
