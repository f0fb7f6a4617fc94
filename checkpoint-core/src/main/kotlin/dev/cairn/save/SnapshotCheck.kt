package dev.cairn.save

import dev.cairn.item.Capture
import dev.cairn.item.StateItem
import dev.cairn.item.StreamPart
import dev.cairn.item.readingRowsOnce
import dev.cairn.item.stateMoved
import dev.cairn.redistribution.CellDigest

/**
 * Reads the state again after it was written, and refuses differences. So no byte changed between the first read and the last one, unless
 * it changed back. Streams are left out: they exist only while they are written.
 */
internal class SnapshotCheck(private val items: List<StateItem>, private val digester: StateDigester) {
    /** The result of the first read of an item. */
    class Seen(val digest: CellDigest, val elementCount: Long)

    /** @param seen the first read of each item; null for items whose own part this rank did not write */
    suspend fun requireUnmoved(rank: Int, seen: List<Seen?>) {
        val moved =
            items.readingRowsOnce {
                items.zip(seen).filter { (item, before) -> before != null && hasMoved(item.capture(rank), before) }
            }
        if (moved.isNotEmpty()) throw stateMoved(moved.map { (item, _) -> item.name })
    }

    suspend fun look(capture: Capture) = Seen(digester.digest(capture), capture.elementCount)

    private suspend fun hasMoved(now: Capture, before: Seen): Boolean {
        if (now.parts.any { it is StreamPart }) return false
        return now.elementCount != before.elementCount || digester.digest(now) != before.digest
    }
}
