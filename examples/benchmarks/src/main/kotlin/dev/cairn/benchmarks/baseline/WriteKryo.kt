package dev.cairn.benchmarks.baseline

import com.esotericsoftware.kryo.Kryo
import com.esotericsoftware.kryo.io.Output
import java.nio.file.Path
import java.util.stream.IntStream
import kotlin.io.path.outputStream

/** Each array into a file of its own, as Kryo serializes it. */
internal fun writeKryo(files: List<Path>, arrays: List<DoubleArray>, isForced: Boolean) =
    IntStream.range(0, files.size).parallel().forEach { index ->
        val kryo = Kryo().apply { register(DoubleArray::class.java) }
        Output(files[index].outputStream(), 1 shl 16).use { kryo.writeObject(it, arrays[index]) }
        if (isForced) files[index].force()
    }
