package dev.cairn.save

import dev.cairn.cells.CellDigest
import dev.cairn.cells.CellDigester
import dev.cairn.sion.RecordWriter
import dev.cairn.state.Capture
import dev.cairn.state.SizedPart
import dev.cairn.state.StreamPart
import dev.cairn.state.TableOfContents
import dev.cairn.state.TableOfContents.Companion.FRAME_SIZE
import dev.cairn.state.checksum

/** What a rank has written of one item. */
internal class WrittenItem(
    val entries: List<TableOfContents.Entry>,
    val digest: CellDigest,
    val elementCount: Long,
) {
    val byteCount get() = entries.sumOf { it.size }
}

/** Writes the parts of [capture], frame by frame; each frame is checked and digested on its way. */
internal suspend fun RecordWriter.writeItem(
    capture: Capture,
    pool: FramePool,
): WrittenItem {
    val digester = CellDigester()
    val entries =
        capture.parts.map { part ->
            when (part) {
                is SizedPart -> writeSized(part, digester, pool)
                is StreamPart -> pool.borrow { frame -> StreamOutput(this, part, frame, digester).writeAll() }
            }
        }
    val streamed = capture.parts.zip(entries).sumOf { (part, entry) -> if (part is StreamPart) entry.size else 0 }
    return WrittenItem(
        entries.filter { it.size > 0 },
        digester.digest().plus(capture.digestApart()),
        capture.elementCount + streamed,
    )
}

/** Writes [part] as one record. */
private suspend fun RecordWriter.writeSized(
    part: SizedPart,
    digester: CellDigester,
    pool: FramePool,
): TableOfContents.Entry {
    val checksums = ArrayList<Int>()
    if (part.size > 0) begin(part.key.toLong(), part.size)
    for (start in 0 until part.size step FRAME_SIZE.toLong()) {
        pool.borrow { frame ->
            frame.limit(minOf(FRAME_SIZE.toLong(), part.size - start).toInt())
            part.read(start, frame, digester)
            checksums += checksum(frame.flip())
            append(frame.rewind())
        }
    }
    return TableOfContents.Entry(part.key, part.size, part.boxes, checksums)
}
