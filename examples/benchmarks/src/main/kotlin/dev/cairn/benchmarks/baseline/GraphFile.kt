package dev.cairn.benchmarks.baseline

import java.nio.file.Path

/** Objects in a file, with one `write` of a library. */
internal interface GraphFile {
    fun write(file: Path, objects: Array<*>)

    fun read(file: Path): Array<*>
}
