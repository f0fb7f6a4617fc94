package dev.cairn.save

import dev.cairn.checkpoint.TableOfContents
import dev.cairn.checkpoint.checksum
import dev.cairn.item.StreamPart
import dev.cairn.redistribution.ByteDigester
import dev.cairn.redistribution.CellDigest
import dev.cairn.sion.RecordWriter
import java.nio.ByteBuffer

/** Writes a stream frame by frame: each becomes a record. Takes new chunks as needed. */
internal class StreamRecords(
    private val records: RecordWriter,
    private val part: StreamPart,
    private val digester: ByteDigester,
) {
    private val checksums = ArrayList<Int>()
    private var size = 0L

    /** Writes the next [frame]; only the last one may be shorter than the others. */
    fun put(frame: ByteBuffer) {
        checksums += checksum(frame)
        digester.add(frame)
        size += frame.remaining()
        records.put(part.key.toLong(), frame)
    }

    /** The entry of all written frames. */
    fun entry(): TableOfContents.Entry =
        TableOfContents.Entry(part.key, size, emptyList(), checksums, recordCount = checksums.size)

    fun digest(): CellDigest = digester.finish()
}
