package dev.cairn.benchmarks.baseline

import dev.cairn.benchmarks.payload.Payload
import java.nio.channels.FileChannel
import java.nio.file.Path
import java.nio.file.StandardOpenOption.CREATE_NEW
import java.nio.file.StandardOpenOption.WRITE

/** Each piece into a file of its own. */
internal fun writeFilePerPiece(files: List<Path>, payload: Payload) {
    for (index in 0 until payload.pieceCount) {
        FileChannel.open(files[index], CREATE_NEW, WRITE).use { channel ->
            channel.writeAll(payload.piece(index))
        }
    }
}
