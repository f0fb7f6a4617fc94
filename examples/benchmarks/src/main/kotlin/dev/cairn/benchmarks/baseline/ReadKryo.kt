package dev.cairn.benchmarks.baseline

import com.esotericsoftware.kryo.Kryo
import com.esotericsoftware.kryo.io.Input
import java.nio.file.Path
import kotlin.io.path.inputStream

/** Each array from a file of its own, as Kryo serialized it. */
internal fun readKryo(files: List<Path>): List<DoubleArray> = files.parallelStream().map(::readOne).toList()

private fun readOne(file: Path): DoubleArray {
    val kryo = Kryo().apply { register(DoubleArray::class.java) }
    return Input(file.inputStream(), 1 shl 16).use { kryo.readObject(it, DoubleArray::class.java) }
}
