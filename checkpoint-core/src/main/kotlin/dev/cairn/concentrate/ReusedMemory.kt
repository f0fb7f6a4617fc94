package dev.cairn.concentrate

import java.nio.ByteBuffer

/** Memory for one window after the other: new memory for each would be filled with zeros first. */
internal class ReusedMemory(
    private val allocate: (Int) -> ByteBuffer,
) {
    private var memory = allocate(0)

    /** [size] bytes with any content, which belong to the caller until the next call. */
    fun take(size: Long): ByteBuffer {
        if (memory.capacity() < size) memory = allocate(Math.toIntExact(size))
        return memory.slice(0, size.toInt())
    }
}
