package dev.cairn.contents

import dev.cairn.contents.TableOfContents.Companion.FRAME_SIZE
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withPermit
import java.nio.ByteBuffer
import java.util.concurrent.ConcurrentLinkedQueue

/**
 * At most [count] direct buffers of one frame each, for all ranks of a process: so that very many ranks can save or restore at
 * once in bounded memory. Any rank may borrow one; it waits while there is none.
 */
internal class FramePool(
    count: Int,
) {
    private val permits = Semaphore(count)
    private val idle = ConcurrentLinkedQueue<ByteBuffer>()

    suspend inline fun <T> borrow(use: (ByteBuffer) -> T): T =
        permits.withPermit {
            val frame = idle.poll() ?: ByteBuffer.allocateDirect(FRAME_SIZE)
            try {
                use(frame.clear())
            } finally {
                idle.add(frame)
            }
        }

    companion object {
        /** Enough to keep the disk busy. */
        const val DEFAULT_COUNT = 32
    }
}
