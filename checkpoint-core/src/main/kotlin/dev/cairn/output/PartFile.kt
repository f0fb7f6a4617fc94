package dev.cairn.output

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.deleteIfThere
import java.io.Closeable
import java.io.IOException
import java.nio.file.Path
import java.util.UUID

/**
 * On rank 0: the file that gets the name [path] when it is complete. Until then its name has an [id] of its own, so programs that write
 * [path] at the same time have a file each. Its lock shows them that its program runs.
 *
 * It owns its file. Closing it before it was published deletes it.
 */
internal class PartFile private constructor(private val store: BlockStore, private val path: Path) : Closeable {
    val id = "${UUID.randomUUID()}"
    private val name = nameOf(path, id)
    val file: BlockFile = store.create(name)
    private var isPublished = false

    /** Gives the file, of which all bytes are durable, its name. */
    fun publish() {
        store.rename(name, path)
        isPublished = true
        store.forceDirectory(path.parent)
    }

    /** What cannot be deleted now is left to the next program that writes [path]. */
    override fun close() =
        file.use {
            if (!isPublished) runCatching { store.deleteIfThere(name) }
        }

    /** Locks the file; false if another program has taken it for an abandoned one before. */
    private fun protect(): Boolean = file.tryLockIfPossible() != false && store.exists(name)

    companion object {
        /** A new file, after those were deleted that other programs have abandoned. */
        fun create(store: BlockStore, path: Path): PartFile {
            requireNoDirectory(store, path)
            partsOf(store, path).forEach { store.deleteIfAbandoned(it) }
            while (true) {
                val part = PartFile(store, path)
                if (part.protect()) return part
                part.close()
            }
        }

        /** What the part with [id] is called until it is complete. */
        fun nameOf(path: Path, id: String): Path = path.resolveSibling("${path.fileName}.$id.part")

        /** The rename would refuse it, too, but only after all bytes are written. */
        private fun requireNoDirectory(store: BlockStore, path: Path) {
            val isDirectory = store.exists(path) && runCatching { store.list(path) }.isSuccess
            require(!isDirectory) { "$path is a directory. Name a file" }
        }

        private fun partsOf(store: BlockStore, path: Path): List<Path> {
            val name = Regex(Regex.escape("${path.fileName}.") + "[0-9a-f-]{36}\\.part")
            return store.list(path.parent).filter { name.matches("${it.fileName}") }
        }

        /** A part that cannot be opened is not for this program to delete. */
        private fun BlockStore.deleteIfAbandoned(part: Path) {
            runCatching {
                open(part, Access.READ_WRITE).use {
                    if (it.tryLockIfPossible() == true) deleteIfThere(part)
                }
            }
        }

        /** Null on a file system without locks: there, no program knows whether another one runs, and parts stay. */
        private fun BlockFile.tryLockIfPossible(): Boolean? =
            try {
                tryLock()
            } catch (_: IOException) {
                null
            }
    }
}
