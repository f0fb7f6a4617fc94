package dev.cairn.multifile.task

import dev.cairn.sion.TaskGroup
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

// What a group's collector writes at once: pure.

/** The most that a collector writes at once, and so the memory that it needs. */
private const val WINDOW_SIZE = 4L shl 20

/** Where the windows of a group's chunks in one block start, front to back. */
internal fun TaskGroup.windowStarts(
    block: Int,
    stride: Long,
): Iterable<Long> = (start() + block * stride).let { it until it + size() step WINDOW_SIZE }

/** The window that starts there; the last one of a block ends with it. */
internal fun TaskGroup.window(
    start: Long,
    stride: Long,
): LongRange {
    val blockStart = start - (start - start()) % stride
    return start until minOf(start + WINDOW_SIZE, blockStart + size())
}

/** How many blocks reach up to [end]. */
internal fun TaskGroup.blockCount(
    end: Long,
    stride: Long,
): Int = if (end <= start()) 0 else Math.toIntExact((end - start() - 1) / stride + 1)

/** The parts in [window] of fragments from front to back. */
internal fun List<Fragment>.within(window: LongRange): List<Fragment> {
    val found = binarySearch { if (it.end <= window.first) -1 else 1 }
    return subList(-found - 1, size).takeWhile { it.position <= window.last }.map { it.within(window) }
}

/** The most that a rank brings without being asked, so that all of them together are no more than a window. */
internal fun TaskGroup.mostAtOnce(): Long = WINDOW_SIZE / taskCount()

/** The fragments as one payload: position, size and bytes of each. */
internal fun List<Fragment>.toPayload(): ByteBuffer {
    val payload = ByteBuffer.allocate(sumOf { FRAGMENT_HEADER + it.bytes.remaining() }).order(LITTLE_ENDIAN)
    forEach { payload.putLong(it.position).putInt(it.bytes.remaining()).put(it.bytes.duplicate()) }
    return payload.flip()
}

internal fun ByteBuffer.toFragments(): List<Fragment> =
    buildList {
        while (hasRemaining()) {
            val position = getLong()
            val size = getInt()
            add(Fragment(position, slice(position(), size)))
            position(position() + size)
        }
    }

private const val FRAGMENT_HEADER = Long.SIZE_BYTES + Int.SIZE_BYTES

/** All fragments of a window as one; what is not written yet is zero, as it is in the file. */
internal fun List<Fragment>.filled(): List<Fragment> {
    if (isEmpty()) return this
    val from = minOf { it.position }
    val bytes = ByteBuffer.allocate((maxOf { it.end } - from).toInt())
    forEach { bytes.put((it.position - from).toInt(), it.bytes, it.bytes.position(), it.bytes.remaining()) }
    return listOf(Fragment(from, bytes))
}
