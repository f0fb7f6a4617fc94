package dev.cairn.house.planted.arrows.sion.store

import dev.cairn.house.planted.arrows.sion.Multifile
import java.nio.file.Files
import java.nio.file.Path

class StoreUsesRoot(val multifile: Multifile)

class StoreReads {
    fun allowed(file: Path): Long = Files.size(file)
}
