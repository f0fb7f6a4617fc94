package dev.cairn.node

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import java.nio.file.FileAlreadyExistsException
import java.nio.file.Path

/**
 * The store of ranks that write a local save: a physical file is in [directory] on the host of its ranks, and the first rank that opens it
 * creates it. Everything else comes from [files], such as the block size of the shared store. Equal objects are the same place, so the
 * ranks of a process share open files.
 */
internal data class HostFiles(private val files: BlockStore, private val directory: Path) : BlockStore by files {
    override fun open(file: Path, access: Access): BlockFile {
        val local = directory.resolve(file.fileName)
        if (files.exists(local)) return files.open(local, access)
        return try {
            files.create(local)
        } catch (_: FileAlreadyExistsException) {
            files.open(local, access)
        }
    }
}
