package dev.cairn.benchmarks.baseline

import dev.cairn.benchmarks.payload.Payload
import java.nio.channels.FileChannel
import java.nio.file.Path
import java.nio.file.StandardOpenOption.READ

/** The pieces through a bare channel from where the chunks of a multifile lie. */
internal fun readScatteredPieces(file: Path, payload: Payload, start: Long, stride: Long) {
    FileChannel.open(file, READ).use { channel ->
        for (index in 0 until payload.pieceCount) {
            check(channel.read(payload.room(), start + index * stride) == payload.pieceSize)
            payload.requireNumber(index)
        }
    }
}
