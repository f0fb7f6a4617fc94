package dev.cairn.benchmarks.baseline

import java.nio.channels.FileChannel
import java.nio.file.Files
import java.nio.file.Path

/** Deletes as Cairn deletes an expired save, and forces the same: at each moment it is whole, or marked as none. */
internal fun deleteForcedSave(directory: Path) {
    val mark = directory.resolve("manifest.json.new")
    Files.move(directory.resolve("manifest.json"), mark)
    forceDirectory(directory)
    Files.delete(directory.resolve("data.sion"))
    forceDirectory(directory)
    Files.delete(mark)
    Files.delete(directory)
    forceDirectory(directory.parent)
}

internal fun forceDirectory(directory: Path) = FileChannel.open(directory).use { it.force(true) }
