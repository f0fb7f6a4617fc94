package dev.cairn.output

import dev.cairn.checkpoint.DirectMemory
import dev.cairn.concentrate.Request
import dev.cairn.concentrate.directMemory
import dev.cairn.sion.store.BlockFile
import java.nio.ByteBuffer
import java.util.BitSet

/**
 * Writes bytes of many places of a file in the order of the file, neighbours together.
 *
 * @param gaps are written where there is nothing else
 * @param others are left to other writers
 * @param puts are written; no two share a byte
 */
internal class OrderedWriting(gaps: List<Request>, others: List<Request>, puts: List<Request>) {
    private val gaps = Sweep(gaps)
    private val others = Sweep(others)
    private val puts = Sweep(puts)

    /** In windows of [largest] bytes, or of fewer if that is all, or if the process may not have so much. */
    fun write(file: BlockFile, largest: Int) {
        var from = minOf(gaps.first, puts.first)
        val wanted = minOf(largest.toLong(), maxOf(gaps.end, puts.end) - from).toInt()
        if (wanted <= 0) return
        val memory = DirectMemory.window(2 * wanted, 2 * LEAST_WINDOW, ::directMemory)
        val windowSize = memory.capacity() / 2
        val bytes = memory.slice(0, windowSize)
        val packed = memory.slice(windowSize, windowSize)
        val isWritten = BitSet(windowSize)
        while (from != Request.NONE) {
            isWritten.clear()
            val window = Window(from, from + windowSize, bytes, packed, isWritten)
            gaps.forEachIn(window) { window.take(it) }
            others.forEachIn(window) { window.leaveOut(it) }
            puts.forEachIn(window) { window.take(it) }
            window.write(file)
            from = minOf(gaps.nextByte(window.to), puts.nextByte(window.to))
        }
    }

    /** Requests by their first bytes, so that each window looks only at those that may have bytes in it. */
    private class Sweep(requests: List<Request>) {
        private val sorted = requests.map { it.nextByte(0) to it }.sortedBy { (start) -> start }
        private var next = 0
        private val active = mutableListOf<Request>()

        val first: Long get() = sorted.firstOrNull()?.first ?: Request.NONE
        val end: Long = requests.maxOfOrNull { it.end } ?: 0

        inline fun forEachIn(window: Window, visit: (Request) -> Unit) {
            active.removeAll { it.end <= window.from }
            while (next < sorted.size && sorted[next].first < window.to) active += sorted[next++].second
            active.forEach(visit)
        }

        fun nextByte(from: Long): Long =
            minOf(
                active.minOfOrNull { it.nextByte(from) } ?: Request.NONE,
                if (next < sorted.size) sorted[next].first else Request.NONE,
            )
    }

    /**
     * The bytes of the file between two places, and which of them are written.
     *
     * @param packed room for as many bytes
     */
    private class Window(
        val from: Long,
        val to: Long,
        private val bytes: ByteBuffer,
        private val packed: ByteBuffer,
        private val isWritten: BitSet,
    ) {
        fun take(request: Request) {
            request.copyTo(packed.clear(), from, to)
            var next = 0
            request.forEachExtent(from, to) { offset, length ->
                val at = (offset - from).toInt()
                bytes.put(at, packed, next, length)
                isWritten.set(at, at + length)
                next += length
            }
        }

        fun leaveOut(request: Request) =
            request.forEachExtent(from, to) { offset, length ->
                isWritten.clear((offset - from).toInt(), (offset - from).toInt() + length)
            }

        fun write(file: BlockFile) {
            var start = isWritten.nextSetBit(0)
            while (start >= 0) {
                val end = isWritten.nextClearBit(start)
                file.write(from + start, bytes.slice(start, end - start))
                start = isWritten.nextSetBit(end)
            }
        }
    }
}

private const val LEAST_WINDOW = 1 shl 16
