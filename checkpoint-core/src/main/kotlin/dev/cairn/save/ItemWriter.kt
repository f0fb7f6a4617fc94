package dev.cairn.save

import dev.cairn.checkpoint.FramePool
import dev.cairn.checkpoint.TableOfContents
import dev.cairn.checkpoint.TableOfContents.Companion.FRAME_SIZE
import dev.cairn.item.Capture
import dev.cairn.item.SizedPart
import dev.cairn.item.StreamCapture
import dev.cairn.item.StreamPart
import dev.cairn.redistribution.CellDigest
import dev.cairn.redistribution.CellDigester
import dev.cairn.redistribution.DigestFormula
import dev.cairn.sion.RecordWriter
import java.nio.ByteBuffer
import java.util.zip.CRC32C

/** The data of one item that a rank has written. */
internal class WrittenItem(val entries: List<TableOfContents.Entry>, val digest: CellDigest, val elementCount: Long) {
    val byteCount get() = entries.sumOf { it.size }
}

/**
 * Writes the items of one rank into its task, frame by frame; each frame is checked and digested on its way. One coroutine at a
 * time.
 *
 * @param pause called before each frame
 */
internal class ItemWriter(
    private val records: RecordWriter,
    private val pool: FramePool,
    private val pause: suspend () -> Unit = {},
) {
    private val formula = DigestFormula.NEWEST
    private val entries = ArrayList<TableOfContents.Entry>()

    /** The table of all written parts, in the order of the records. */
    fun table(save: Int, rank: Int, rankCount: Int) = TableOfContents(save, rank, rankCount, entries)

    /** Writes the parts of [capture]. */
    suspend fun write(capture: Capture): WrittenItem {
        val cells = formula.cells()
        var streams = CellDigest.NONE
        val written =
            capture.parts.map { part ->
                when (part) {
                    is SizedPart -> {
                        writeSized(part, cells)
                    }

                    is StreamPart -> {
                        val stream = stream(part)
                        pool.borrow { frame -> StreamOutput(part, frame, stream::put).writeAll() }
                        streams = streams.plus(stream.digest())
                        stream.entry()
                    }
                }
            }
        return written(capture, written, cells.digest().plus(streams))
    }

    /** Writes the stream of [capture], of which these are the [frames]. */
    suspend fun write(capture: StreamCapture, frames: List<ByteBuffer>): WrittenItem {
        val stream = stream(capture.part)
        for (frame in frames) {
            pause()
            stream.put(frame)
        }
        return end(capture, stream)
    }

    /** For a stream that is put record by record, and then [ended][end]. Until then nothing else is written. */
    fun stream(part: StreamPart) = StreamRecords(records, part, formula.bytes(part.firstIndex))

    /** Ends the [stream] of [capture]. */
    fun end(capture: Capture, stream: StreamRecords): WrittenItem =
        written(capture, listOf(stream.entry()), stream.digest())

    private fun written(capture: Capture, parts: List<TableOfContents.Entry>, digest: CellDigest): WrittenItem {
        val streamed = capture.parts.zip(parts).sumOf { (part, entry) -> if (part is StreamPart) entry.size else 0 }
        val own = parts.filter { it.size > 0 }
        entries += own
        return WrittenItem(
            own,
            digest.plus(capture.digestApart(formula, parts)),
            capture.elementCount + streamed,
        )
    }

    /** Writes [part] as one record. */
    private suspend fun writeSized(part: SizedPart, digester: CellDigester): TableOfContents.Entry {
        val checksums = ArrayList<Int>()
        if (part.size > 0) records.begin(part.key.toLong(), part.size)
        for (start in 0 until part.size step FRAME_SIZE.toLong()) {
            pause()
            pool.borrow(records.size()) { frame ->
                checksums += part.fillFrame(frame, start, digester)
                records.append(frame.flip())
            }
        }
        return TableOfContents.Entry(part.key, part.size, part.boxes, checksums)
    }
}

/**
 * Fills [frame] with the bytes from [start] on, in steps, so that each byte is processed while it is in the cache;
 * returns the checksum.
 */
internal fun SizedPart.fillFrame(frame: ByteBuffer, start: Long, digester: CellDigester): Int {
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
