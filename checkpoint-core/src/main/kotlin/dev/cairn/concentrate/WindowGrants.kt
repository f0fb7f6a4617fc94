package dev.cairn.concentrate

import dev.cairn.concentrate.Request.Companion.NONE
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.MessageTags

/**
 * On a concentrator: which window each client sends next, and which clients may send it. A client sends its piece of a window when
 * that window, or the one before it, is under way; so a concentrator holds two windows at most.
 */
internal class WindowGrants(private val ranks: Communicator, set: ServedFile, span: ServedFile.Span) {
    private val freeWindows = set.freeWindows(span)
    private val next = LongArray(ranks.size) { NONE }
    private val isGranted = BooleanArray(ranks.size)

    /** The next window that a client has bytes for. */
    val nextWindow: Long get() = next.min()

    fun clientsOf(window: Long): List<Int> = next.indices.filter { next[it] == window }

    /** The [next] window of [client] is known. */
    fun note(client: Int, next: Long) {
        this.next[client] = next
        isGranted[client] = false
    }

    /** Lets [client] go on if it waits for a window up to the one behind [window]. */
    suspend fun grant(client: Int, window: Long) {
        if (!isAwaited(client) || next[client] > window + 1) return
        ranks.send(client, MessageTags.WINDOW_ANSWER, Answer.GO)
        isGranted[client] = true
    }

    /** Lets all go on that wait for the next window or the one behind it. */
    suspend fun grantAll() {
        val window = nextWindow
        if (window != NONE) next.indices.forEach { grant(it, window) }
    }

    /** Stops all clients that have no grant yet, whatever window they wait for. */
    suspend fun stopAll() {
        for (client in next.indices.filter(::isAwaited)) {
            ranks.send(client, MessageTags.WINDOW_ANSWER, Answer.STOP)
            next[client] = NONE
        }
    }

    private fun isAwaited(client: Int) = next[client] != NONE && next[client] !in freeWindows && !isGranted[client]
}
