package dev.cairn.sion.log

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.ForwardingStore
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * Fails the change number [failing] that a writer makes, counted from 1, and all operations of some [kinds]. Of a write
 * that fails, [partial] bytes reach the file.
 */
internal class FailingStore(
    private val target: BlockStore,
    var failing: Long,
    private val partial: Int,
    var kinds: Set<Kind> = emptySet(),
) : ForwardingStore(target) {
    var operations = 0L
        private set
    var failures = 0
        private set

    override fun onOperation(operation: BlockStore.Operation) {
        if (operation.kind() in CHANGES) operations++
        if (operation.kind() in kinds || (operation.kind() in CHANGES && operations == failing)) {
            failures++
            throw InjectedFailure(operation)
        }
    }

    override fun create(file: Path): BlockFile {
        val created = super.create(file)
        return object : BlockFile by created {
            override fun write(position: Long, source: ByteBuffer) =
                try {
                    created.write(position, source)
                } catch (failed: InjectedFailure) {
                    val part = source.duplicate().limit(minOf(source.limit(), source.position() + partial))
                    target.open(file, Access.READ_WRITE).use { it.write(position, part) }
                    throw failed
                }
        }
    }

    private companion object {
        val CHANGES = setOf(Kind.CREATE, Kind.WRITE, Kind.RESIZE, Kind.FORCE, Kind.FORCE_DIRECTORY)
    }
}

internal class InjectedFailure(operation: BlockStore.Operation) : IOException("$operation fails here")
