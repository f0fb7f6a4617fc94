package dev.cairn.benchmarks.baseline

import java.io.ObjectInputStream
import java.nio.file.Path
import kotlin.io.path.inputStream

/** Each array from a file of its own, as Java serialized it. */
internal fun readObjects(files: List<Path>): List<DoubleArray> = files.parallelStream().map(::readObject).toList()

private fun readObject(file: Path) =
    ObjectInputStream(file.inputStream().buffered(1 shl 16)).use { it.readObject() as DoubleArray }
