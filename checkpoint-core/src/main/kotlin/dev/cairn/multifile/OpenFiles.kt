package dev.cairn.multifile

import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import java.nio.channels.ClosedChannelException
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger

/**
 * The physical files that the ranks of a process write to, each open once for all ranks that have the same store. Any
 * thread may call it.
 *
 * @property activity describes the ranks' work in messages; one text for all ranks, since there may be very many
 */
internal class OpenFiles(private val spec: MultifileSpec, rankCount: Int, val activity: String) : AutoCloseable {
    private val files = ConcurrentHashMap<Place, BlockFile>()
    private val writingCount = AtomicInteger(rankCount)

    @Volatile private var closed = false

    fun open(store: BlockStore, fileNumber: Int): BlockFile = Place(store, fileNumber).let { files[it] ?: openNow(it) }

    /** To be called by each rank that has written all; the last call forces the files and closes them. */
    fun rankHasWritten() {
        if (writingCount.decrementAndGet() > 0) return
        if (spec.forcePolicy() == ForcePolicy.ON_CLOSE) files.values.forEach(BlockFile::force)
        close()
    }

    /** To be called by every rank at its end, since a rank that failed has not called [rankHasWritten]. */
    override fun close() {
        if (!closed) closeNow()
    }

    @Synchronized
    private fun openNow(place: Place): BlockFile {
        if (closed) throw ClosedChannelException()
        return files.getOrPut(place) { place.store.open(spec.file(place.fileNumber), Access.READ_WRITE) }
    }

    @Synchronized
    private fun closeNow() {
        closed = true
        files.values.forEach(BlockFile::close)
    }

    private data class Place(val store: BlockStore, val fileNumber: Int)
}
