package dev.cairn.benchmarks.sections

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import java.nio.ByteBuffer
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicInteger

/** The machine's file system, with a count of its writes. */
internal class CountedWrites(
    private val files: BlockStore = FileBlockStore(),
) : BlockStore by files {
    private val found = AtomicInteger()

    val count: Int get() = found.get()

    override fun create(file: Path): BlockFile = Counted(files.create(file))

    override fun open(
        file: Path,
        access: Access,
    ): BlockFile = Counted(files.open(file, access))

    private inner class Counted(
        private val file: BlockFile,
    ) : BlockFile by file {
        override fun write(
            position: Long,
            source: ByteBuffer,
        ) {
            found.incrementAndGet()
            file.write(position, source)
        }
    }
}
