package dev.cairn.benchmarks.baseline

import dev.cairn.benchmarks.payload.Payload
import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.file.Path
import java.nio.file.StandardOpenOption.CREATE_NEW
import java.nio.file.StandardOpenOption.WRITE

/** Small pieces, gathered in a buffer of the size and kind that a task's stream has, through a bare channel. */
internal fun writeGatheredStream(file: Path, payload: Payload) {
    val buffer = ByteBuffer.allocate(1 shl 16)
    FileChannel.open(file, CREATE_NEW, WRITE).use { channel ->
        for (index in 0 until payload.pieceCount) {
            if (buffer.remaining() < payload.pieceSize) {
                channel.writeAll(buffer.flip())
                buffer.clear()
            }
            buffer.put(payload.piece(index))
        }
        channel.writeAll(buffer.flip())
    }
}
