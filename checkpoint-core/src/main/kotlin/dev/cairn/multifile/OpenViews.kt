package dev.cairn.multifile

import dev.cairn.sion.GlobalView
import dev.cairn.sion.MultifileMeta
import dev.cairn.sion.store.BlockStore
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger

/**
 * The views of one multifile that the ranks of a process read through, one for all ranks that have the same store. The
 * last rank to leave closes them. Any thread may call it.
 */
internal class OpenViews(private val meta: MultifileMeta, rankCount: Int) : AutoCloseable {
    private val views = ConcurrentHashMap<BlockStore, GlobalView>()
    private val stayingCount = AtomicInteger(rankCount)

    fun open(store: BlockStore): GlobalView = views[store] ?: views.computeIfAbsent(store) { meta.open(it) }

    /** To be called once by each rank. */
    override fun close() {
        if (stayingCount.decrementAndGet() == 0) views.values.forEach(GlobalView::close)
    }
}
