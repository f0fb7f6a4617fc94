package dev.cairn.benchmarks.sections

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import java.nio.file.Path

/** The [files] as one of several simulated hosts sees them: its [local] directory is its [own] one. */
internal class HostStore(private val files: BlockStore, private val local: Path, private val own: Path) : BlockStore {
    private fun of(path: Path) = if (path.startsWith(local)) own.resolve(local.relativize(path)) else path

    private fun back(path: Path) = if (path.startsWith(own)) local.resolve(own.relativize(path)) else path

    override fun open(file: Path, access: Access): BlockFile = files.open(of(file), access)

    override fun create(file: Path): BlockFile = files.create(of(file))

    override fun exists(path: Path): Boolean = files.exists(of(path))

    override fun list(directory: Path): List<Path> = files.list(of(directory)).map(::back)

    override fun makeDirectory(directory: Path) = files.makeDirectory(of(directory))

    override fun rename(from: Path, to: Path) = files.rename(of(from), of(to))

    override fun delete(path: Path) = files.delete(of(path))

    override fun forceDirectory(directory: Path) = files.forceDirectory(of(directory))

    override fun freeSpace(path: Path): Long = files.freeSpace(of(path))

    override fun blockSize(path: Path): BlockStore.BlockSize = files.blockSize(of(path))
}
