package dev.cairn.benchmarks.baseline

import dev.cairn.benchmarks.payload.Payload
import java.nio.channels.FileChannel
import java.nio.file.Path
import java.nio.file.StandardOpenOption.CREATE_NEW
import java.nio.file.StandardOpenOption.WRITE

/** Piece after piece through a bare channel. */
internal fun writeBareStream(file: Path, payload: Payload) {
    FileChannel.open(file, CREATE_NEW, WRITE).use { channel ->
        for (index in 0 until payload.pieceCount) {
            channel.writeAll(payload.piece(index))
        }
    }
}
