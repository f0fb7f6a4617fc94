package dev.cairn.benchmarks.baseline

import dev.cairn.sion.store.BlockFile
import java.nio.ByteBuffer

/** Runs of the size of [buffer], which [array] has one behind the other: [stride] bytes apart in [file], from [first] on. */
internal fun writeStridedRuns(
    array: DoubleArray,
    runCount: Int,
    file: BlockFile,
    first: Long,
    stride: Long,
    buffer: ByteBuffer,
) {
    val cells = buffer.capacity() / Double.SIZE_BYTES
    for (run in 0 until runCount) {
        buffer.clear().asDoubleBuffer().put(array, run * cells, cells)
        file.write(first + run * stride, buffer)
    }
}
