package dev.cairn.multifile

import dev.cairn.base.Structure
import dev.cairn.comm.NOTHING
import java.nio.ByteBuffer

// The bytes that the ranks of a group hold for their collector, as pure data. Positions come from the writers of the tasks and
// from the windows of the group; here they are only compared.

/** Some bytes and their position in the file. */
internal class Fragment(
    val position: Long,
    val bytes: ByteBuffer,
) {
    val end get() = position + bytes.remaining()

    /** The part inside of [window], which it overlaps. */
    fun within(window: LongRange): Fragment {
        val from = maxOf(position, window.first)
        val to = minOf(end, window.last + 1)
        return Fragment(from, bytes.slice(bytes.position() + (from - position).toInt(), (to - from).toInt()))
    }
}

/** The parts inside of [window] of these fragments, which are in ascending order. */
internal fun List<Fragment>.within(window: LongRange): List<Fragment> {
    val found = binarySearch { if (it.end <= window.first) -1 else 1 }
    return subList(-found - 1, size).takeWhile { it.position <= window.last }.map { it.within(window) }
}

/** All fragments of a window as one; bytes that no rank has written are zero, as they are in the file. */
internal fun List<Fragment>.filled(): List<Fragment> {
    if (isEmpty()) return this
    val from = minOf { it.position }
    val bytes = ByteBuffer.allocate((maxOf { it.end } - from).toInt())
    forEach { bytes.put((it.position - from).toInt(), it.bytes, it.bytes.position(), it.bytes.remaining()) }
    return listOf(Fragment(from, bytes))
}

internal val FRAGMENT = Structure(Fragment(0, NOTHING)) { Fragment(u64(it.position), bytes(it.bytes)) }
