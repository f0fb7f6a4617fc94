package dev.cairn.save

import dev.cairn.CheckpointException
import dev.cairn.cells.CellDigest
import dev.cairn.cells.DigestFormula
import dev.cairn.state.Capture
import dev.cairn.state.FramePool
import dev.cairn.state.SizedPart
import dev.cairn.state.StateItem
import dev.cairn.state.StreamPart
import dev.cairn.state.TableOfContents.Companion.FRAME_SIZE

/**
 * Reads the state once more after it was written, and refuses what is not as it was then. So nothing changed between the first
 * byte that was read and the last one, unless it changed back. Streams are left out: they exist only as they are written.
 */
internal class SnapshotCheck(
    private val items: List<StateItem>,
    private val formula: DigestFormula,
    private val pool: FramePool,
) {
    suspend fun requireUnmoved(
        rank: Int,
        written: List<WrittenItem>,
    ) {
        val moved = items.zip(written).filter { (item, before) -> hasMoved(item.capture(rank), before) }
        if (moved.isNotEmpty()) throw CheckpointException.StateMoved(moved.map { (item, _) -> item.name })
    }

    private suspend fun hasMoved(
        now: Capture,
        before: WrittenItem,
    ): Boolean {
        if (now.parts.any { it is StreamPart }) return false
        return now.elementCount != before.elementCount || digest(now) != before.digest
    }

    private suspend fun digest(capture: Capture): CellDigest {
        val cells = formula.cells()
        for (part in capture.parts.filterIsInstance<SizedPart>()) {
            for (start in 0 until part.size step FRAME_SIZE.toLong()) {
                pool.borrow { frame -> part.fillFrame(frame, start, cells) }
            }
        }
        return cells.digest().plus(capture.digestApart(formula, written = emptyList()))
    }
}
