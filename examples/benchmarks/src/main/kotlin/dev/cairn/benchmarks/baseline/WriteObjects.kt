package dev.cairn.benchmarks.baseline

import java.io.ObjectOutputStream
import java.nio.file.Path
import java.util.stream.IntStream
import kotlin.io.path.outputStream

/** Each array into a file of its own, as Java serializes it. */
internal fun writeObjects(files: List<Path>, arrays: List<DoubleArray>, isForced: Boolean) =
    IntStream.range(0, files.size).parallel().forEach { index ->
        ObjectOutputStream(files[index].outputStream().buffered(1 shl 16)).use { it.writeObject(arrays[index]) }
        if (isForced) files[index].force()
    }
