package dev.cairn.multifile

import dev.cairn.ranks.Structure
import dev.cairn.sion.store.PositionedOutput
import java.nio.ByteBuffer

/** Some bytes and their position in a file. */
internal class PositionedBytes(val position: Long, val bytes: ByteBuffer) {
    val end get() = position + bytes.remaining()

    /** The part inside of [window], which it overlaps. */
    fun within(window: LongRange): PositionedBytes {
        val from = maxOf(position, window.first)
        val to = minOf(end, window.last + 1)
        return PositionedBytes(from, bytes.slice(bytes.position() + (from - position).toInt(), (to - from).toInt()))
    }
}

internal val POSITIONED_BYTES =
    Structure(PositionedBytes(0, ByteBuffer.allocate(0))) { PositionedBytes(u64(it.position), bytes(it.bytes)) }

/** Writes [run] to its position. */
internal fun PositionedOutput.write(run: PositionedBytes) = write(run.position, run.bytes.duplicate())

/** The parts inside of [window] of these runs, which are in ascending order. */
internal fun List<PositionedBytes>.within(window: LongRange): List<PositionedBytes> {
    val found = binarySearch { if (it.end <= window.first) -1 else 1 }
    return subList(-found - 1, size).takeWhile { it.position <= window.last }.map { it.within(window) }
}

/** These runs in ascending order, with small neighbours joined: a copy of [MOST_JOINED] bytes costs less than another write. */
internal fun List<PositionedBytes>.joined(): List<PositionedBytes> {
    val groups = mutableListOf<MutableList<PositionedBytes>>()
    for (run in sortedBy { it.position }) {
        val before = groups.lastOrNull()?.takeIf { it.last().end == run.position }
        val group = before?.takeIf { run.end - it.first().position <= MOST_JOINED }
        group?.add(run) ?: groups.add(mutableListOf(run))
    }
    return groups.map { it.singleOrNull() ?: it.filled() }
}

private const val MOST_JOINED = 1L shl 16

/** These runs, of which there is one at least, as a single one; bytes between them are zero. */
internal fun List<PositionedBytes>.filled(): PositionedBytes {
    val from = minOf { it.position }
    val bytes = ByteBuffer.allocate((maxOf { it.end } - from).toInt())
    forEach { bytes.put((it.position - from).toInt(), it.bytes, it.bytes.position(), it.bytes.remaining()) }
    return PositionedBytes(from, bytes)
}
