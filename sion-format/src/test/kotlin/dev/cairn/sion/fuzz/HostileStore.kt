package dev.cairn.sion.fuzz

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import java.nio.ByteBuffer
import java.nio.channels.ClosedChannelException
import java.nio.channels.NonWritableChannelException
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import kotlin.math.min

/**
 * Hostile files in memory, to be read and nothing else. Every operation is counted, every name must lie in the files'
 * own directory, and what was opened must be closed.
 */
class HostileStore(private val contents: Map<Path, ByteArray>, private val bounds: Bounds) : BlockStore {
    var openCount: Int = 0
        private set

    override fun open(file: Path, access: Access): BlockFile {
        if (file.parent != HostileFiles.DIRECTORY || file != file.normalize()) throw PathEscape(file)
        if (access != Access.READ) neverAsked()
        bounds.count(0)
        val content = contents[file] ?: throw NoSuchFileException(file.toString())
        openCount++
        return HostileFile(file, content)
    }

    override fun create(file: Path) = neverAsked()

    override fun exists(path: Path) = neverAsked()

    override fun list(directory: Path): List<Path> {
        if (directory != HostileFiles.DIRECTORY) throw PathEscape(directory)
        bounds.count(0)
        return contents.keys.toList()
    }

    override fun makeDirectory(directory: Path) = neverAsked()

    override fun rename(from: Path, to: Path) = neverAsked()

    override fun delete(path: Path) = neverAsked()

    override fun forceDirectory(directory: Path) = neverAsked()

    override fun freeSpace(path: Path) = neverAsked()

    override fun blockSize(path: Path) = neverAsked()

    private fun neverAsked(): Nothing =
        throw AssertionError("a reader only looks for files, and opens them for reading")

    private inner class HostileFile(private val path: Path, private val content: ByteArray) : BlockFile {
        private var open = true

        override fun path() = path

        override fun read(position: Long, target: ByteBuffer): Int {
            requireOpen()
            if (position < 0) throw AssertionError("$path: no position $position")
            if (position >= content.size) {
                bounds.count(0)
                return if (target.hasRemaining()) -1 else 0
            }
            val count = min(target.remaining(), content.size - position.toInt())
            bounds.count(count)
            target.put(content, position.toInt(), count)
            return count
        }

        override fun size(): Long {
            requireOpen()
            bounds.count(0)
            return content.size.toLong()
        }

        /** Without this, a loop that reads nothing at all would not be seen. */
        override fun readFully(position: Long, target: ByteBuffer) {
            bounds.count(0)
            super.readFully(position, target)
        }

        override fun close() {
            if (open) openCount--
            open = false
        }

        override fun write(position: Long, source: ByteBuffer) = throw NonWritableChannelException()

        override fun resize(size: Long) = throw NonWritableChannelException()

        override fun force() = neverAsked()

        override fun tryLock() = throw NonWritableChannelException()

        private fun requireOpen() {
            if (!open) throw ClosedChannelException()
        }
    }
}

/** A name that was read from a file led out of its directory. */
class PathEscape(file: Path) : Error("$file does not lie in ${HostileFiles.DIRECTORY}")
