package dev.cairn.contents

import dev.cairn.contents.TableOfContents.Companion.FRAME_SIZE
import dev.cairn.sion.store.AlignedMemory
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withPermit
import java.nio.ByteBuffer
import java.util.concurrent.ConcurrentLinkedQueue

/**
 * At most [count] direct buffers of one frame each, for all ranks of a process, so that very many ranks save or restore at once
 * in bounded memory. Any rank may borrow one; it waits while none is free.
 */
internal class FramePool(
    count: Int,
) {
    private val permits = Semaphore(count)
    private val idle = ConcurrentLinkedQueue<AlignedMemory>()

    /** Calls [use] with a frame, aligned for bytes at [position] of a stream. */
    suspend inline fun <T> borrow(
        position: Long = 0,
        use: (ByteBuffer) -> T,
    ): T =
        permits.withPermit {
            val memory = idle.poll() ?: AlignedMemory.allocate(FRAME_SIZE)
            try {
                use(memory.at(position))
            } finally {
                idle.add(memory)
            }
        }

    companion object {
        /** Enough to keep the disk busy. */
        const val DEFAULT_COUNT = 32
    }
}
