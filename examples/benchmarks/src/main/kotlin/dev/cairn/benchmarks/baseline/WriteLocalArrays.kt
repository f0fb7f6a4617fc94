package dev.cairn.benchmarks.baseline

import dev.cairn.sion.store.BlockStore
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.file.Path
import java.util.stream.IntStream

/** Each array into the file of its number, which is forced, by as many threads as there are processors. */
internal fun writeLocalArrays(arrays: List<DoubleArray>, paths: List<Path>, files: BlockStore, piece: Int) =
    IntStream.range(0, arrays.size).parallel().forEach { index ->
        val buffer = ByteBuffer.allocateDirect(piece).order(LITTLE_ENDIAN)
        files.create(paths[index]).use { file ->
            for (first in arrays[index].indices step piece / Double.SIZE_BYTES) {
                val count = minOf(piece / Double.SIZE_BYTES, arrays[index].size - first)
                buffer.clear().limit(count * Double.SIZE_BYTES)
                buffer.asDoubleBuffer().put(arrays[index], first, count)
                file.write(first.toLong() * Double.SIZE_BYTES, buffer)
            }
            file.force()
        }
    }
