package dev.cairn.house.planted.arrows.examples.chain

import java.nio.file.Files
import java.nio.file.Path

class SamplerReads {
    fun allowed(file: Path): Long = Files.size(file)
}
