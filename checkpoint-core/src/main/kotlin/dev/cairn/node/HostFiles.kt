package dev.cairn.node

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import java.nio.file.FileAlreadyExistsException
import java.nio.file.Path

/**
 * The store of ranks that write a local save: a physical file lies in [directory] on the host of its ranks, and is made by the
 * first of them that opens it. All else is in [files], such as the block size of the store into which the files are drained. Equal ones
 * are the same place, so the ranks of a process share open files.
 */
internal data class HostFiles(
    private val files: BlockStore,
    private val directory: Path,
) : BlockStore by files {
    override fun open(
        file: Path,
        access: Access,
    ): BlockFile {
        val local = directory.resolve(file.fileName)
        if (files.exists(local)) return files.open(local, access)
        return try {
            files.create(local)
        } catch (_: FileAlreadyExistsException) {
            files.open(local, access)
        }
    }
}
