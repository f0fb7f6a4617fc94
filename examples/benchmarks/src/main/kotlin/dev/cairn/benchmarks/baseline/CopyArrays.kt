package dev.cairn.benchmarks.baseline

import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.util.stream.IntStream

/** Each array into the direct buffer of its number, by as many threads as there are processors. */
internal fun copyArrays(arrays: List<DoubleArray>, buffers: List<ByteBuffer>) =
    IntStream.range(0, arrays.size).parallel().forEach { index ->
        buffers[index].order(LITTLE_ENDIAN).asDoubleBuffer().put(arrays[index])
    }
