package dev.cairn.benchmarks.payload

import java.nio.channels.FileChannel
import java.nio.file.Path
import java.nio.file.StandardOpenOption.READ
import kotlin.io.path.deleteExisting

/** Fails unless each of [pieces] is whole in [file], at its position; then deletes the file. */
internal fun Payload.checkAndDelete(file: Path, start: Long, stride: Long, pieces: IntRange = 0 until pieceCount) {
    FileChannel.open(file, READ).use { channel ->
        for (index in pieces) {
            val position = start + (index - pieces.first) * stride
            check(channel.read(room(), position) == pieceSize) { "$file ends inside piece $index" }
            requirePiece(index)
        }
    }
    file.deleteExisting()
}

/** Fails unless every piece is whole in a file of its own; then deletes the files. */
internal fun Payload.checkAndDelete(files: List<Path>) {
    files.forEachIndexed { index, file ->
        FileChannel.open(file, READ).use { channel ->
            check(channel.read(room()) == pieceSize) { "$file does not hold piece $index" }
        }
        requirePiece(index)
        file.deleteExisting()
    }
}
