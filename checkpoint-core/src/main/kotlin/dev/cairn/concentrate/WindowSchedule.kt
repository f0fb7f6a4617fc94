package dev.cairn.concentrate

import dev.cairn.concentrate.Request.Companion.NONE

/**
 * In which windows there are bytes for which concentrator, and how far the call has come. Concentrators are numbered as in [set].
 *
 * @param hasBytes whether there are bytes between two places of the logical file, which one concentrator serves
 */
internal class WindowSchedule(
    set: ServedFile,
    span: ServedFile.Span,
    hasBytes: (server: Int, from: Long, to: Long) -> Boolean,
) {
    private val windows = List(set.concentrators.size) { mutableListOf<Long>() }
    private val done = IntArray(windows.size)

    init {
        val found = List(windows.size) { sortedSetOf<Long>() }
        set.forEachPiece(span) { server, window, from, to -> if (hasBytes(server, from, to)) found[server] += window }
        found.zip(windows) { ofServer, list -> list += ofServer }
    }

    /** The next window with bytes for any concentrator; [NONE] if there are no more. */
    val next: Long get() = windows.indices.minOf(::nextFor)

    fun nextFor(server: Int): Long = windows[server].getOrNull(done[server]) ?: NONE

    /** The next window for [server] is under way: [nextFor] returns the one after it. */
    fun pass(server: Int) {
        done[server]++
    }

    /** Nothing more goes to [server]. */
    fun giveUp(server: Int) {
        done[server] = windows[server].size
    }

    /** Those of the concentrators that get something in [window]. */
    fun serversIn(window: Long): List<Int> = windows.indices.filter { nextFor(it) == window }
}
