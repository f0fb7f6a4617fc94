package dev.cairn.save

import dev.cairn.checkpoint.FramePool
import dev.cairn.checkpoint.TableOfContents.Companion.FRAME_SIZE
import dev.cairn.item.Capture
import dev.cairn.item.SizedPart
import dev.cairn.item.StreamPart
import dev.cairn.redistribution.CellDigest
import dev.cairn.redistribution.CellDigester
import dev.cairn.redistribution.DigestFormula

/** Digests state as a save by [formula] does, and writes no data. */
internal class StateDigester(private val formula: DigestFormula, private val pool: FramePool) {
    suspend fun digest(capture: Capture): CellDigest {
        val cells = formula.cells()
        var streams = CellDigest.NONE
        for (part in capture.parts) {
            when (part) {
                is SizedPart -> digest(part, cells)
                is StreamPart -> streams = streams.plus(digest(part))
            }
        }
        return cells.digest().plus(streams).plus(capture.digestApart(formula, written = emptyList()))
    }

    private suspend fun digest(part: SizedPart, cells: CellDigester) {
        for (start in 0 until part.size step FRAME_SIZE.toLong()) {
            pool.borrow { frame -> part.fillFrame(frame, start, cells) }
        }
    }

    private suspend fun digest(part: StreamPart): CellDigest {
        val bytes = formula.bytes(part.firstIndex)
        pool.borrow { frame -> StreamOutput(part, frame, bytes::add).writeAll() }
        return bytes.finish()
    }
}
