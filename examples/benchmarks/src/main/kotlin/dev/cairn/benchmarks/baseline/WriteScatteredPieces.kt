package dev.cairn.benchmarks.baseline

import dev.cairn.benchmarks.payload.Payload
import java.nio.channels.FileChannel
import java.nio.file.Path
import java.nio.file.StandardOpenOption.CREATE_NEW
import java.nio.file.StandardOpenOption.WRITE

/** The pieces through a bare channel to where the chunks of a multifile would lie. */
internal fun writeScatteredPieces(file: Path, payload: Payload, start: Long, stride: Long) {
    FileChannel.open(file, CREATE_NEW, WRITE).use { channel ->
        for (index in 0 until payload.pieceCount) {
            check(channel.write(payload.piece(index), start + index * stride) == payload.pieceSize)
        }
    }
}
