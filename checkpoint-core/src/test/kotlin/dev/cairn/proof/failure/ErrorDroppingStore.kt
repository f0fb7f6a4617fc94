package dev.cairn.proof.failure

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.SaveNames
import dev.cairn.store.name
import java.nio.ByteBuffer
import java.nio.file.Path

/** Sabotage: errors of writing and forcing data files are dropped, so that a save takes a failed write for a success. */
internal class ErrorDroppingStore(private val target: BlockStore) : BlockStore by target {
    override fun open(file: Path, access: Access): BlockFile =
        target.open(file, access).let { if (file.name.startsWith(SaveNames.DATA)) ErrorDroppingFile(it) else it }

    private class ErrorDroppingFile(private val file: BlockFile) : BlockFile by file {
        override fun write(position: Long, source: ByteBuffer) {
            runCatching { file.write(position, source) }.onFailure { source.position(source.limit()) }
        }

        override fun force() {
            runCatching { file.force() }
        }
    }
}
