package dev.cairn.save

import dev.cairn.cells.CellDigest
import dev.cairn.cells.CellDigester
import dev.cairn.sion.RecordWriter
import dev.cairn.state.Capture
import dev.cairn.state.TableOfContents
import dev.cairn.state.TableOfContents.Companion.FRAME_SIZE
import java.util.zip.CRC32C

/** What a rank has written of one item. */
internal class WrittenItem(
    val entry: TableOfContents.Entry?,
    val digest: CellDigest,
    val elementCount: Long,
)

/** Writes [capture] as the record [key], frame by frame; each frame is checked and digested on its way. */
internal suspend fun RecordWriter.writeItem(
    key: Int,
    capture: Capture,
    pool: FramePool,
): WrittenItem {
    val digester = CellDigester()
    val checksums = ArrayList<Int>()
    if (capture.size > 0) begin(key.toLong(), capture.size)
    for (start in 0 until capture.size step FRAME_SIZE.toLong()) {
        pool.borrow { frame ->
            frame.limit(minOf(FRAME_SIZE.toLong(), capture.size - start).toInt())
            capture.read(start, frame, digester)
            checksums += CRC32C().apply { update(frame.flip()) }.value.toInt()
            append(frame.rewind())
        }
    }
    capture.digestUnstored(digester)
    val entry = TableOfContents.Entry(key, capture.size, capture.boxes, checksums).takeIf { capture.size > 0 }
    return WrittenItem(entry, digester.digest(), capture.elementCount)
}
