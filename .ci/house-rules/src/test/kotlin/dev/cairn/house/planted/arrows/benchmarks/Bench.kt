package dev.cairn.house.planted.arrows.benchmarks

import dev.cairn.house.planted.arrows.mpi.MpiOpensAFile
import java.nio.file.Files
import java.nio.file.Path

class BenchUsesMpi(val mpi: MpiOpensAFile)

class BenchReads {
    fun allowed(file: Path): Long = Files.size(file)
}
