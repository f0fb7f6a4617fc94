package dev.cairn.checkpoint

import dev.cairn.checkpoint.TableOfContents.Companion.FRAME_SIZE
import dev.cairn.sion.store.AlignedMemory
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withPermit
import java.lang.ref.WeakReference
import java.nio.ByteBuffer
import java.util.concurrent.ConcurrentLinkedQueue

/**
 * At most [count] direct buffers of one frame each, for all ranks of a process, so that very many ranks save or restore at once
 * in bounded memory. Any rank may borrow one; it waits while none is free.
 */
internal class FramePool(private val count: Int) {
    private val permits = Semaphore(count)
    private val idle = ConcurrentLinkedQueue<AlignedMemory>()

    /**
     * Allocates a frame for each of [rankCount] ranks, but no more than the pool has. The caller learns here, before a save or restore
     * begins, that there is too little memory.
     */
    fun prepare(rankCount: Int) {
        val wanted = minOf(rankCount, count)
        while (idle.size < wanted) idle.add(allocate(wanted))
    }

    /** Calls [use] with a frame, aligned for bytes at [position] of a stream. */
    suspend inline fun <T> borrow(position: Long = 0, use: (ByteBuffer) -> T): T =
        permits.withPermit {
            val memory = idle.poll() ?: allocate(count)
            try {
                use(memory.at(position))
            } finally {
                idle.add(memory)
            }
        }

    /** Leaves the idle frames to later pools of the process, unless the garbage collector is there before them. */
    fun close() {
        while (true) leftOver.add(WeakReference(idle.poll() ?: return))
    }

    /** One of [wanted] frames. */
    private fun allocate(wanted: Int): AlignedMemory =
        try {
            leftOverFrame() ?: AlignedMemory.allocate(FRAME_SIZE)
        } catch (failure: OutOfMemoryError) {
            // The limit of direct memory, which is checked before anything is allocated: the heap is not concerned.
            val needed = wanted.toLong() * FRAME_SIZE + DirectMemory.RESERVE
            throw DirectMemory.exhausted(needed, failure)
        }

    companion object {
        /** Enough to keep the disk busy. */
        const val DEFAULT_COUNT = 32

        /** New frames would be filled with zeros first, which takes longer than many a save. */
        private val leftOver = ConcurrentLinkedQueue<WeakReference<AlignedMemory>>()

        private fun leftOverFrame(): AlignedMemory? {
            while (true) {
                val frame = leftOver.poll() ?: return null
                frame.get()?.let { return it }
            }
        }
    }
}
