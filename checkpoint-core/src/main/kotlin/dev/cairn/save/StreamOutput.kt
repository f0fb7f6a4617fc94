package dev.cairn.save

import dev.cairn.cells.ByteDigester
import dev.cairn.sion.RecordWriter
import dev.cairn.state.StreamPart
import dev.cairn.state.TableOfContents
import dev.cairn.state.checksum
import java.io.OutputStream
import java.nio.ByteBuffer

/**
 * What the program writes to, when nobody knows how much it will be: each full [frame] becomes a record, which lies in one
 * chunk. It goes on to new chunks as they are needed.
 */
internal class StreamOutput(
    private val records: RecordWriter,
    private val part: StreamPart,
    private val frame: ByteBuffer,
    private val digester: ByteDigester,
) : OutputStream() {
    private val checksums = ArrayList<Int>()
    private var size = 0L
    private var failure: Exception? = null

    /** Lets the program write, and returns what there is now. */
    fun writeAll(): TableOfContents.Entry {
        part.write(this)
        // A program that swallows the failure of a write must not be told that its state was saved.
        failure?.let { throw it }
        if (frame.position() > 0) putFrame()
        return TableOfContents.Entry(part.key, size, emptyList(), checksums, recordCount = checksums.size)
    }

    override fun write(byte: Int) {
        if (!frame.hasRemaining()) putFrame()
        frame.put(byte.toByte())
    }

    override fun write(
        bytes: ByteArray,
        offset: Int,
        length: Int,
    ) {
        var next = offset
        while (next < offset + length) {
            if (!frame.hasRemaining()) putFrame()
            val count = minOf(offset + length - next, frame.remaining())
            frame.put(bytes, next, count)
            next += count
        }
    }

    private fun putFrame() {
        failure?.let { throw it }
        frame.flip()
        checksums += checksum(frame)
        digester.add(frame)
        size += frame.limit()
        try {
            records.putWhole(part.key.toLong(), frame)
        } catch (failed: Exception) {
            failure = failed
            throw failed
        }
        frame.clear()
    }
}
