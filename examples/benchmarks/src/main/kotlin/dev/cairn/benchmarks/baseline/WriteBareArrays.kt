package dev.cairn.benchmarks.baseline

import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.channels.FileChannel
import java.nio.file.Path
import java.nio.file.StandardOpenOption.CREATE_NEW
import java.nio.file.StandardOpenOption.WRITE
import java.util.stream.IntStream

/** Each array into a file of its own, by as many threads as there are processors. */
internal fun writeBareArrays(files: List<Path>, arrays: List<DoubleArray>, isForced: Boolean) =
    IntStream.range(0, files.size).parallel().forEach { index ->
        val buffer = ByteBuffer.allocateDirect(1 shl 20).order(LITTLE_ENDIAN)
        FileChannel.open(files[index], CREATE_NEW, WRITE).use { channel ->
            for (start in arrays[index].indices step buffer.capacity() / Double.SIZE_BYTES) {
                val count = minOf(buffer.capacity() / Double.SIZE_BYTES, arrays[index].size - start)
                buffer.clear().asDoubleBuffer().put(arrays[index], start, count)
                channel.writeAll(buffer.limit(count * Double.SIZE_BYTES))
            }
            if (isForced) channel.force(true)
        }
    }
