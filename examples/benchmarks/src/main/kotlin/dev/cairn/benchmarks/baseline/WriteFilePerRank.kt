package dev.cairn.benchmarks.baseline

import dev.cairn.benchmarks.payload.Payload
import java.nio.channels.FileChannel
import java.nio.file.Path
import java.nio.file.StandardOpenOption.CREATE_NEW
import java.nio.file.StandardOpenOption.WRITE
import java.util.stream.IntStream

/** Each piece into a file of its own, by as many threads as there are processors. */
internal fun writeFilePerRank(files: List<Path>, payload: Payload) =
    IntStream.range(0, payload.pieceCount).parallel().forEach { rank ->
        FileChannel.open(files[rank], CREATE_NEW, WRITE).use { channel ->
            channel.writeAll(payload.pieceOfItsOwn(rank))
        }
    }
