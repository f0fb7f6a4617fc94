package dev.cairn.benchmarks.sections

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import java.nio.file.Path
import java.util.concurrent.locks.LockSupport

/** A file system whose writes pass the [Link] to the disk on which their file lies. */
internal class ThrottledStore(private val linkOf: (Path) -> Link) : ForwardingStore(FileBlockStore()) {
    override fun onOperation(operation: BlockStore.Operation) {
        if (operation.kind() == BlockStore.Operation.Kind.WRITE) linkOf(operation.path()).pass(operation.length())
    }
}

/** A disk that all share, and faster ones of their own for these [directories]. */
internal fun throttled(directories: List<Path>): BlockStore {
    val shared = Link(SHARED_BYTES_PER_SECOND, NANOS_PER_WRITE)
    val ofDirectories = directories.associateWith { Link(LOCAL_BYTES_PER_SECOND, NANOS_PER_WRITE) }
    return ThrottledStore { path -> ofDirectories.entries.find { path.startsWith(it.key) }?.value ?: shared }
}

/** The rate that all share, that of a directory of its own, and what each write takes beside it. */
internal const val SHARED_BYTES_PER_SECOND = 50_000_000L
internal const val LOCAL_BYTES_PER_SECOND = 500_000_000L
internal const val NANOS_PER_WRITE = 100_000L

/**
 * What lies between a disk and its writers: they share [bytesPerSecond], and wait [nanosPerWrite] longer for each write, as on a network.
 * It saves no rate up: a pause is not made up for by a faster write.
 */
internal class Link(val bytesPerSecond: Long, private val nanosPerWrite: Long) {
    private var idleFrom = System.nanoTime()

    /** Returns when [byteCount] bytes have passed. */
    fun pass(byteCount: Long) {
        val end = endOf(byteCount) + nanosPerWrite
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
