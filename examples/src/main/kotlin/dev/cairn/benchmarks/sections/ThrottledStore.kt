package dev.cairn.benchmarks.sections

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.Operation
import java.util.concurrent.locks.LockSupport

/**
 * A file system whose writers share [bytesPerSecond], and wait [nanosPerWrite] longer for each write, as on a network. It saves no
 * rate up: a pause is not made up for by a faster write.
 */
internal class ThrottledStore(
    private val bytesPerSecond: Long,
    private val nanosPerWrite: Long,
    files: BlockStore = FileBlockStore(),
) : ForwardingStore(files) {
    private var idleFrom = System.nanoTime()

    override fun onOperation(operation: Operation) {
        if (operation.kind() != Operation.Kind.WRITE) return
        val end = endOf(operation.length()) + nanosPerWrite
        while (true) {
            val left = end - System.nanoTime()
            if (left <= 0) return
            LockSupport.parkNanos(left)
        }
    }

    /** The time at which [byteCount] bytes have passed, behind those of the writes before. */
    @Synchronized
    private fun endOf(byteCount: Long): Long {
        val begin = maxOf(idleFrom, System.nanoTime())
        idleFrom = begin + byteCount * NANOS_PER_SECOND / bytesPerSecond
        return idleFrom
    }

    private companion object {
        const val NANOS_PER_SECOND = 1_000_000_000
    }
}
