package dev.cairn.benchmarks.baseline

import dev.cairn.benchmarks.payload.Payload
import java.nio.channels.FileChannel
import java.nio.file.Path
import java.nio.file.StandardOpenOption.READ

/** Each piece out of a file of its own. */
internal fun readFilePerPiece(files: List<Path>, payload: Payload) {
    for (index in 0 until payload.pieceCount) {
        FileChannel.open(files[index], READ).use { channel ->
            channel.readAll(payload.room())
            payload.requireNumber(index)
        }
    }
}
