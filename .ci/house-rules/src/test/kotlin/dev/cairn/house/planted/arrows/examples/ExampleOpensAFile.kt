package dev.cairn.house.planted.arrows.examples

import java.nio.file.Files
import java.nio.file.Path

class ExampleOpensAFile {
    fun forbidden(file: Path): Long = Files.size(file)
}
