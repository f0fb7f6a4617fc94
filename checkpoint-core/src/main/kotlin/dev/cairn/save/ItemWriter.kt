package dev.cairn.save

import dev.cairn.cells.CellDigest
import dev.cairn.cells.CellDigester
import dev.cairn.cells.DigestFormula
import dev.cairn.contents.FramePool
import dev.cairn.contents.TableOfContents
import dev.cairn.contents.TableOfContents.Companion.FRAME_SIZE
import dev.cairn.item.Capture
import dev.cairn.item.SizedPart
import dev.cairn.item.StreamPart
import dev.cairn.sion.RecordWriter
import java.nio.ByteBuffer
import java.util.zip.CRC32C

/** The data of one item that a rank has written. */
internal class WrittenItem(
    val entries: List<TableOfContents.Entry>,
    val digest: CellDigest,
    val elementCount: Long,
    val hasMoved: Boolean,
) {
    val byteCount get() = entries.sumOf { it.size }
}

/** Writes the parts of [capture], frame by frame; each frame is checked and digested on its way. */
internal suspend fun RecordWriter.writeItem(
    capture: Capture,
    formula: DigestFormula,
    pool: FramePool,
): WrittenItem {
    val cells = formula.cells()
    var streams = CellDigest.NONE
    val entries =
        capture.parts.map { part ->
            when (part) {
                is SizedPart -> {
                    writeSized(part, cells, pool)
                }

                is StreamPart -> {
                    val bytes = formula.bytes(part.firstIndex)
                    val entry = pool.borrow { frame -> StreamOutput(this, part, frame, bytes).writeAll() }
                    streams = streams.plus(bytes.finish())
                    entry
                }
            }
        }
    val streamed = capture.parts.zip(entries).sumOf { (part, entry) -> if (part is StreamPart) entry.size else 0 }
    return WrittenItem(
        entries.filter { it.size > 0 },
        cells.digest().plus(streams).plus(capture.digestApart(formula, entries)),
        capture.elementCount + streamed,
        capture.hasMoved,
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
        pool.borrow(size()) { frame ->
            checksums += part.fillFrame(frame, start, digester)
            append(frame.flip())
        }
    }
    return TableOfContents.Entry(part.key, part.size, part.boxes, checksums)
}

/**
 * Fills [frame] with the bytes from [start] on, in steps, so that each byte is processed while it is in the cache;
 * returns the checksum.
 */
internal fun SizedPart.fillFrame(
    frame: ByteBuffer,
    start: Long,
    digester: CellDigester,
): Int {
    val checksum = CRC32C()
    frame.limit(minOf(FRAME_SIZE.toLong(), size - start).toInt())
    for (offset in 0 until frame.limit() step STEP_SIZE) {
        val step = frame.duplicate().limit(minOf(offset + STEP_SIZE, frame.limit())).position(offset)
        read(start + offset, step, digester)
        checksum.update(step.position(offset))
    }
    frame.position(frame.limit())
    return checksum.value.toInt()
}

/** The program's cells and their bytes together fit into the L2 cache of common processors. */
private const val STEP_SIZE = 1 shl 16
