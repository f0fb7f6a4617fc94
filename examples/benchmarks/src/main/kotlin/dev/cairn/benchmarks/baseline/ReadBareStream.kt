package dev.cairn.benchmarks.baseline

import dev.cairn.benchmarks.payload.Payload
import java.nio.channels.FileChannel
import java.nio.file.Path
import java.nio.file.StandardOpenOption.READ

/** Piece after piece through a bare channel, from [start] on. */
internal fun readBareStream(file: Path, payload: Payload, start: Long) {
    FileChannel.open(file, READ).use { channel ->
        channel.position(start)
        for (index in 0 until payload.pieceCount) {
            channel.readAll(payload.room())
            payload.requireNumber(index)
        }
    }
}
