package dev.cairn.benchmarks.baseline

import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption.CREATE_NEW
import java.nio.file.StandardOpenOption.WRITE

/** Writes and forces as a save of one process does, in the same order: [groups] of writes, each forced, and a manifest. */
internal fun writeForcedSave(directory: Path, groups: List<List<ByteBuffer>>, manifest: ByteBuffer) {
    Files.createDirectory(directory)
    val prepared = directory.resolve("manifest.json.new")
    FileChannel.open(prepared, CREATE_NEW, WRITE).use { mark ->
        listOf(directory, directory.parent).forEach(::forceDirectory)
        FileChannel.open(directory.resolve("data.sion"), CREATE_NEW, WRITE).use { data ->
            for ((index, group) in groups.withIndex()) {
                group.forEach { data.writeAll(it.duplicate()) }
                data.force(false)
                if (index == groups.size - 2) forceDirectory(directory)
            }
        }
        mark.writeAll(manifest.duplicate())
        mark.force(false)
    }
    Files.move(prepared, directory.resolve("manifest.json"))
    forceDirectory(directory)
}
