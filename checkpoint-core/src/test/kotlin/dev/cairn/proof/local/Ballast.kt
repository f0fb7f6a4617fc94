package dev.cairn.proof.local

import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.DiskException
import java.nio.ByteBuffer
import java.nio.file.Path

/** A [file] of another program that takes the room of a simulated disk. */
internal class Ballast(private val files: BlockStore, private val file: Path) {
    /** Fills the file system, but for the given number of pages. */
    fun fill(pagesLeft: Int = 0) {
        files.create(file).use { ballast ->
            while (ballast.takes(ByteBuffer.allocate(1 shl 16))) continue
            ballast.resize(ballast.size() - pagesLeft * PAGE)
        }
    }

    private fun BlockFile.takes(bytes: ByteBuffer): Boolean =
        try {
            write(size(), bytes)
            true
        } catch (_: DiskException) {
            false
        }

    /** There is room again, if there was none. */
    fun remove() {
        if (files.exists(file)) files.delete(file)
    }

    private companion object {
        const val PAGE = 4096L
    }
}
