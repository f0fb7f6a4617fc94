package dev.cairn.benchmarks.baseline

import java.io.ObjectInputStream
import java.io.ObjectOutputStream
import java.nio.file.Path
import kotlin.io.path.inputStream
import kotlin.io.path.outputStream

/** As Java serializes them. */
internal class ObjectStreamGraph : GraphFile {
    override fun write(file: Path, objects: Array<*>) =
        ObjectOutputStream(file.outputStream().buffered(1 shl 16)).use { it.writeObject(objects) }

    override fun read(file: Path) =
        ObjectInputStream(file.inputStream().buffered(1 shl 16)).use { it.readObject() as Array<*> }
}
