package dev.cairn.benchmarks.baseline

import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.channels.FileChannel
import java.nio.file.Path
import java.util.stream.IntStream

/** Each array from a file of its own, by as many threads as there are processors. */
internal fun readBareArrays(files: List<Path>, arrays: List<DoubleArray>) =
    IntStream.range(0, files.size).parallel().forEach { index ->
        val buffer = ByteBuffer.allocateDirect(1 shl 20).order(LITTLE_ENDIAN)
        FileChannel.open(files[index]).use { channel ->
            for (start in arrays[index].indices step buffer.capacity() / Double.SIZE_BYTES) {
                val count = minOf(buffer.capacity() / Double.SIZE_BYTES, arrays[index].size - start)
                buffer.clear().limit(count * Double.SIZE_BYTES)
                while (buffer.hasRemaining()) check(channel.read(buffer) > 0) { "${files[index]} is too short" }
                buffer.flip().asDoubleBuffer().get(arrays[index], start, count)
            }
        }
    }
