package dev.cairn.benchmarks.baseline

import com.esotericsoftware.kryo.Kryo
import com.esotericsoftware.kryo.io.Input
import com.esotericsoftware.kryo.io.Output
import java.nio.file.Path
import kotlin.io.path.inputStream
import kotlin.io.path.outputStream

/** With references, of the registered class of [objects] alone. */
internal class KryoGraph(objects: Array<*>) : GraphFile {
    private val type = objects.javaClass
    private val kryo =
        Kryo().apply {
            references = true
            listOf(type.componentType, type).forEach { register(it) }
        }

    override fun write(file: Path, objects: Array<*>) =
        Output(file.outputStream(), 1 shl 16).use { kryo.writeObject(it, objects) }

    override fun read(file: Path): Array<*> = Input(file.inputStream(), 1 shl 16).use { kryo.readObject(it, type) }
}
