package dev.cairn.save

import dev.cairn.item.StreamPart
import java.io.IOException
import java.io.OutputStream
import java.nio.ByteBuffer

/**
 * The stream to which the program writes data of unknown size. Each full [frame], and the last one, goes to [put].
 *
 * It ends when the program's function returns. A program may keep it longer, or let another thread write to it, but the
 * [frame] serves other items then: so every later write fails, and two threads never use it at once.
 */
internal class StreamOutput(
    private val part: StreamPart,
    private val frame: ByteBuffer,
    private val put: (ByteBuffer) -> Unit,
) : OutputStream() {
    private var failure: Exception? = null
    private var hasEnded = false

    /** Lets the program write. A failed write fails the save even if the program ignores it or throws another exception. */
    fun writeAll() {
        val outcome = runCatching { part.write(this) }
        end()
        failure?.let { throw it }
        outcome.getOrThrow()
        if (frame.position() > 0) putFrame()
    }

    @Synchronized
    override fun write(byte: Int) {
        requireOpen()
        if (!frame.hasRemaining()) putFrame()
        frame.put(byte.toByte())
    }

    @Synchronized
    override fun write(bytes: ByteArray, offset: Int, length: Int) {
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
        try {
            put(frame.flip())
        } catch (failed: Exception) {
            failure = failed
            throw failed
        }
        frame.clear()
    }
}
