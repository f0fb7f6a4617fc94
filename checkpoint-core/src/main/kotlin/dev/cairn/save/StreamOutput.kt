package dev.cairn.save

import dev.cairn.cells.ByteDigester
import dev.cairn.contents.TableOfContents
import dev.cairn.contents.checksum
import dev.cairn.item.StreamPart
import dev.cairn.sion.RecordWriter
import java.io.IOException
import java.io.OutputStream
import java.nio.ByteBuffer

/**
 * The stream to which the program writes data of unknown size: each full [frame] becomes a record, which lies in one
 * chunk. It takes new chunks as they are needed.
 *
 * It ends when the program's function returns. A program may keep it longer, or let another thread write to it, but the
 * [frame] serves other items then: so every later write fails, and two threads never use it at once.
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
    private var hasEnded = false

    /** Lets the program write, and returns the result. */
    fun writeAll(): TableOfContents.Entry {
        try {
            part.write(this)
        } finally {
            end()
        }
        // If a program ignores the failure of a write, the save must fail nevertheless.
        failure?.let { throw it }
        if (frame.position() > 0) putFrame()
        return TableOfContents.Entry(part.key, size, emptyList(), checksums, recordCount = checksums.size)
    }

    @Synchronized
    override fun write(byte: Int) {
        requireOpen()
        if (!frame.hasRemaining()) putFrame()
        frame.put(byte.toByte())
    }

    @Synchronized
    override fun write(
        bytes: ByteArray,
        offset: Int,
        length: Int,
    ) {
        requireOpen()
        var next = offset
        while (next < offset + length) {
            if (!frame.hasRemaining()) putFrame()
            val count = minOf(offset + length - next, frame.remaining())
            frame.put(bytes, next, count)
            next += count
        }
    }

    @Synchronized
    private fun end() {
        hasEnded = true
    }

    private fun requireOpen() {
        if (!hasEnded) return
        throw IOException(
            "the stream '${part.item}' has ended, because the function that writes it has returned. " +
                "These bytes are in no checkpoint: write all of them before that function returns.",
        )
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
