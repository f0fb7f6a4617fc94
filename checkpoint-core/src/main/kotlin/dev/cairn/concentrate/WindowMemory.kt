package dev.cairn.concentrate

import java.nio.ByteBuffer

/** On a concentrator: memory for a slice of one window, range behind range. A range is consecutive in a sub-file. */
internal class WindowMemory(slice: WindowSlice, memory: ReusedMemory) {
    private val ranges = Extents()
    private val starts: LongArray

    /** The bytes of the slice; a place in them is a position. */
    val bytes: ByteBuffer

    init {
        slice.parts.forEach { ranges.add(it.subFile, it.local, Math.toIntExact(it.length)) }
        starts = LongArray(ranges.count)
        for (index in 1 until ranges.count) starts[index] = starts[index - 1] + ranges.length(index - 1)
        bytes = memory.take(ranges.byteCount)
    }

    /** Visits the positions of the frames that [extents] touch; a range begins with a frame. */
    inline fun forEachFrame(extents: Extents, frameSize: Long, visit: (position: Int, length: Int) -> Unit) {
        for (index in 0 until extents.count) {
            val (subFile, local) = extents.subFile(index) to extents.local(index)
            val before = (local % frameSize).toInt()
            val position = positionOf(subFile, local, extents.length(index)) - before
            val behind = (-extents.end(index)).mod(frameSize).toInt()
            val most = ranges.end(rangeBefore(subFile, local)) - extents.end(index)
            visit(position, before + extents.length(index) + minOf(behind.toLong(), most).toInt())
        }
    }

    /** The position of the bytes at [local] in [subFile]; they all must be in this slice. */
    fun positionOf(subFile: Int, local: Long, length: Int): Int {
        val index = rangeBefore(subFile, local)
        require(index >= 0 && length > 0 && ranges.subFile(index) == subFile && local + length <= ranges.end(index)) {
            "$length bytes at byte $local of sub-file $subFile are not in the window that is under way. Let all " +
                "ranks run the same version of Cairn, and call the same at the same point"
        }
        return (starts[index] + local - ranges.local(index)).toInt()
    }

    /** Visits the positions of [extents], one behind the other. */
    inline fun forEachPosition(extents: Extents, visit: (position: Int, length: Int) -> Unit) {
        for (index in 0 until extents.count) {
            val length = extents.length(index)
            visit(positionOf(extents.subFile(index), extents.local(index), length), length)
        }
    }

    /** Visits what lies between two positions, cut where one range ends and the next one begins. */
    inline fun forEachRange(from: Int, to: Int, visit: (subFile: Int, local: Long, bytes: ByteBuffer) -> Unit) {
        var next = from
        var index = starts.binarySearch(from.toLong()).let { if (it >= 0) it else -it - 2 }
        while (next < to) {
            val end = minOf(to.toLong(), starts[index] + ranges.length(index)).toInt()
            visit(ranges.subFile(index), ranges.local(index) + next - starts[index], bytes.slice(next, end - next))
            next = end
            index++
        }
    }

    /** The last range that begins at this place or before it; -1 if there is none. */
    private fun rangeBefore(subFile: Int, local: Long): Int {
        var low = 0
        var high = ranges.count
        while (low < high) {
            val middle = (low + high) ushr 1
            if (isAtOrBefore(middle, subFile, local)) low = middle + 1 else high = middle
        }
        return low - 1
    }

    private fun isAtOrBefore(index: Int, subFile: Int, local: Long) =
        ranges.subFile(index) < subFile || (ranges.subFile(index) == subFile && ranges.local(index) <= local)
}
