package dev.cairn.item

import java.io.IOException
import java.io.OutputStream
import java.io.Writer
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * One of the streams of an output. Its bytes are in no buffer but that of the [writer], which saves empty; without one they are discarded.
 */
internal class BytesOfOutput(private val path: Path, private val writer: OutputWriter?) : OutputStream() {
    @Volatile private var isClosed = false

    override fun write(byte: Int) = write(byteArrayOf(byte.toByte()), 0, 1)

    override fun write(bytes: ByteArray, from: Int, count: Int) {
        if (isClosed) throw IOException("$path: this stream of the output is closed: ask the output for another one")
        writer?.buffer(ByteBuffer.wrap(bytes, from, count))
    }

    override fun flush() {
        if (!isClosed) writer?.passOn()
    }

    override fun close() {
        flush()
        isClosed = true
    }
}

/** Text in UTF-8. Those of the library keep bytes to themselves until they are flushed; this one keeps at most half a character. */
internal class TextOfOutput(private val bytes: OutputStream) : Writer() {
    private var half = ""

    override fun write(characters: CharArray, from: Int, count: Int) =
        synchronized(lock) {
            val text = half + String(characters, from, count)
            half = if (text.isNotEmpty() && text.last().isHighSurrogate()) text.takeLast(1) else ""
            bytes.write(text.removeSuffix(half).encodeToByteArray())
        }

    override fun flush() = bytes.flush()

    override fun close() = bytes.close()
}
