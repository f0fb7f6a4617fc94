package dev.cairn.benchmarks.sections

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import java.util.concurrent.atomic.AtomicIntegerArray

/** The machine's file system, with a count of its operations. */
internal class CountedOperations(files: BlockStore = FileBlockStore()) : ForwardingStore(files) {
    private val counts = AtomicIntegerArray(BlockStore.Operation.Kind.entries.size)

    fun count(kind: BlockStore.Operation.Kind): Int = counts[kind.ordinal]

    override fun onOperation(operation: BlockStore.Operation) {
        counts.incrementAndGet(operation.kind().ordinal)
    }
}
