package dev.cairn.checkpoint

import dev.cairn.event.counted
import dev.cairn.redistribution.CellDigest
import java.io.InputStream
import java.nio.ByteBuffer

/**
 * The stream that [rank] stored as [key], read and verified frame by frame as the program reads it. In the digest, its bytes are
 * numbered from [firstIndex] on.
 */
internal class StreamInput(private val stored: StoredState, val rank: Int, private val key: Int, firstIndex: Long) :
    InputStream() {
    private val digester = stored.digestFormula.bytes(firstIndex)
    private val size: Long = stored.size(rank, key)
    private var frame: ByteBuffer = ByteBuffer.allocate(0)
    private var position = 0L
    private var failure: Exception? = null

    /** The number of bytes that the program has not read yet. */
    val left: Long get() = size - position + frame.remaining()

    /** The unread bytes, in words. */
    val rest: String get() = "$left of the ${counted(size, "byte")}${stored.writerOf(rank)}"

    /** The rank that wrote it, as the beginning of a sentence. */
    val place: String get() = if (stored.writerOf(rank).isEmpty()) "" else "on rank $rank "

    override fun read(): Int = if (fill()) java.lang.Byte.toUnsignedInt(frame.get()) else -1

    /** Reads [length] bytes, also across frames: some programs take a shorter read for the end of the stream. */
    override fun read(bytes: ByteArray, offset: Int, length: Int): Int {
        if (length == 0) return 0
        var count = 0
        while (count < length && fill()) {
            val more = minOf(length - count, frame.remaining())
            frame.get(bytes, offset + count, more)
            count += more
        }
        return if (count == 0) -1 else count
    }

    override fun available(): Int = frame.remaining()

    /** Reads and verifies the bytes that the program has not read, and returns the digest of the whole stream. */
    fun finish(): CellDigest {
        requireGood()
        while (fill()) frame.position(frame.limit())
        frame = ByteBuffer.allocate(0)
        return digester.finish()
    }

    /** Throws the first failure of a read, which the program may have ignored, or replaced by another exception. */
    fun requireGood() {
        failure?.let { throw it }
    }

    /** Reads the next frame if needed. False at the end of the stream. */
    private fun fill(): Boolean {
        if (frame.hasRemaining()) return true
        if (position == size) return false
        try {
            readFrame()
        } catch (failed: Exception) {
            failure = failed
            throw failed
        }
        return true
    }

    private fun readFrame() {
        val count = minOf(TableOfContents.FRAME_SIZE.toLong(), size - position).toInt()
        if (frame.capacity() < count) frame = ByteBuffer.allocate(count)
        stored.readFrame(rank, key, (position / TableOfContents.FRAME_SIZE).toInt(), frame.clear().limit(count))
        digester.add(frame.flip())
        position += count
    }
}
