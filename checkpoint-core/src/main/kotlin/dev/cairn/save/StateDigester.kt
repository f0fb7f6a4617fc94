package dev.cairn.save

import dev.cairn.cells.CellDigest
import dev.cairn.cells.DigestFormula
import dev.cairn.contents.FramePool
import dev.cairn.contents.TableOfContents.Companion.FRAME_SIZE
import dev.cairn.item.Capture
import dev.cairn.item.SizedPart

/**
 * Digests state as a save by [formula] does, and writes no data. Streams are left out: they exist only while they are
 * written.
 */
internal class StateDigester(
    private val formula: DigestFormula,
    private val pool: FramePool,
) {
    suspend fun digest(capture: Capture): CellDigest {
        val cells = formula.cells()
        for (part in capture.parts.filterIsInstance<SizedPart>()) {
            for (start in 0 until part.size step FRAME_SIZE.toLong()) {
                pool.borrow { frame -> part.fillFrame(frame, start, cells) }
            }
        }
        return cells.digest().plus(capture.digestApart(formula, written = emptyList()))
    }
}
