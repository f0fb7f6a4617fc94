package dev.cairn.benchmarks.baseline

import dev.cairn.benchmarks.payload.Payload
import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.file.Path
import java.nio.file.StandardOpenOption.READ

/** Small pieces out of a buffer of the size and kind that a task's stream has, which a bare channel fills. */
internal fun readAheadStream(file: Path, payload: Payload, start: Long) {
    val buffer = ByteBuffer.allocate(1 shl 16).limit(0)
    FileChannel.open(file, READ).use { channel ->
        channel.position(start)
        for (index in 0 until payload.pieceCount) {
            if (buffer.remaining() < payload.pieceSize) {
                buffer.compact()
                channel.read(buffer)
                buffer.flip()
            }
            payload.room().put(buffer.slice(buffer.position(), payload.pieceSize))
            buffer.position(buffer.position() + payload.pieceSize)
            payload.requireNumber(index)
        }
    }
}
