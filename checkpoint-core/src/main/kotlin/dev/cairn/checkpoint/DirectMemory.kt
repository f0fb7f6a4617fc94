package dev.cairn.checkpoint

import com.sun.management.HotSpotDiagnosticMXBean
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.NoMemory
import dev.cairn.event.sizeText
import java.lang.management.BufferPoolMXBean
import java.lang.management.ManagementFactory
import java.nio.ByteBuffer

/** The memory of this process for direct buffers, in bytes. */
internal object DirectMemory {
    /** For the buffers that the virtual machine makes to write arrays, and for others that are not counted. */
    const val RESERVE: Long = 16L shl 20

    private const val MEBIBYTE = 1L shl 20

    /** What the virtual machine allows. Zero stands for the default, which is the limit of the heap. */
    val limit: Long
        get() {
            val diagnostics = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean::class.java)
            val set = diagnostics.getVMOption("MaxDirectMemorySize").value.toLong()
            return if (set == 0L) Runtime.getRuntime().maxMemory() else set
        }

    val used: Long
        get() =
            ManagementFactory
                .getPlatformMXBeans(BufferPoolMXBean::class.java)
                .filter { it.name == "direct" }
                .sumOf { it.memoryUsed }

    /** The refusal of [needed] bytes more, for which the virtual machine has no memory by this [failure]. */
    fun exhausted(needed: Long, failure: OutOfMemoryError): NoMemory {
        val held = used
        return NoMemory(
            Details(
                "a process that saves and restores may need up to ${sizeText(needed)} more outside of the Java heap " +
                    "for its buffers, but the virtual machine allows ${sizeText(limit)}, of which ${sizeText(held)} " +
                    "are in use. Set -XX:MaxDirectMemorySize=${(held + needed) / MEBIBYTE + 1}m, which has room for " +
                    "that, or leave that option out to have as much as -Xmx.",
            ),
        ).apply { addSuppressed(failure) }
    }

    /**
     * [size] bytes for a copy of state; null if they would not leave the [RESERVE]. The room for all copies was measured before they began,
     * and other buffers may have been allocated since.
     */
    @Synchronized
    fun forCopy(size: Int): ByteBuffer? =
        try {
            if (size > limit - used - RESERVE) null else ByteBuffer.allocateDirect(size)
        } catch (_: OutOfMemoryError) {
            // The limit of direct memory, which is checked before anything is allocated: the heap is not concerned.
            null
        }

    /**
     * [allocate]s a window where copies of the state have taken what there was: of [most] bytes, or half of that as often as needed,
     * but no fewer than [least]. Most of what the copies leave is for frames, and for the buffers that the virtual machine makes. One
     * thread at a time, so that no two count on the same bytes.
     */
    @Synchronized
    fun window(most: Int, least: Int, allocate: (Int) -> ByteBuffer): ByteBuffer {
        val left = limit - used - RESERVE / 4 * 3
        return allocate(
            maxOf(generateSequence(most) { it / 2 }.first { it <= left || it <= least }, minOf(most, least)),
        )
    }
}
