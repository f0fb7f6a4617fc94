package dev.cairn.concentrate

import dev.cairn.event.sizeText
import java.nio.ByteBuffer

/** Memory outside of the Java heap. */
internal fun directMemory(size: Int): ByteBuffer =
    try {
        ByteBuffer.allocateDirect(size)
    } catch (failure: OutOfMemoryError) {
        // The limit of direct memory, which is checked before anything is allocated: the heap is not concerned.
        val needed = sizeText(size.toLong())
        throw IllegalStateException(
            "a concentrator needs $needed more outside of the Java heap than this process may have. Set " +
                "-XX:MaxDirectMemorySize higher, or leave that option out to have as much as -Xmx",
            failure,
        )
    }

/** Memory for one window after the other: new memory for each would be filled with zeros first. */
internal class ReusedMemory(private val allocate: (Int) -> ByteBuffer) {
    private var memory = allocate(0)

    /** [size] bytes with any content, which belong to the caller until the next call. */
    fun take(size: Long): ByteBuffer {
        if (memory.capacity() < size) memory = allocate(Math.toIntExact(size))
        return memory.slice(0, size.toInt())
    }
}
