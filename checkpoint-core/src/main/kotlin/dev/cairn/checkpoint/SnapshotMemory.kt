package dev.cairn.checkpoint

import java.nio.ByteBuffer
import java.util.concurrent.atomic.AtomicLong

/** The most bytes that the copies of state of all ranks of a process may have. Any rank may call it. */
internal class SnapshotBudget(val limit: Long) {
    private val taken = AtomicLong()

    /** Whether [size] more bytes are within the limit; then they count until they are [given back][giveBack]. */
    fun tryTake(size: Long): Boolean {
        if (taken.addAndGet(size) <= limit) return true
        giveBack(size)
        return false
    }

    fun giveBack(size: Long) {
        taken.addAndGet(-size)
    }
}

/**
 * Memory outside of the Java heap for the copy of one rank's state, in slabs that serve one save after the other. One rank takes
 * pieces for one save, and clears all of them when the save has ended.
 *
 * @param pieceSize a power of two, so that no cell lies in two pieces
 */
internal class SnapshotMemory(private val budget: SnapshotBudget, private val pieceSize: Long = PIECE_SIZE) {
    private val slabs = ArrayList<Slab>()
    private var hasServed = false

    /** The slabs before this one have no room for [small][SMALL] pieces, of which there may be very many. */
    private var firstForSmall = 0

    private class Slab(val bytes: ByteBuffer) {
        var used = 0
        val size get() = bytes.capacity()

        fun take(count: Int): ByteBuffer? {
            if (count > size - used) return null
            return bytes.slice(used, count).also {
                used =
                    minOf((used + count + LINE - 1L) / LINE * LINE, size.toLong()).toInt()
            }
        }
    }

    /**
     * Room for [size] bytes, in buffers of which all but the last have `pieceSize` bytes; null if that is more than the budget
     * or the virtual machine has. Its content is left over from earlier saves.
     */
    fun take(size: Long): List<ByteBuffer>? =
        if (size in 1..pieceSize) piece(size.toInt())?.let(::listOf) else allOrNothing { takeAll(size) }

    private fun takeAll(size: Long): List<ByteBuffer>? {
        val sizes = (0 until size step pieceSize).map { minOf(pieceSize, size - it).toInt() }
        return sizes.map { piece(it) ?: return null }
    }

    /** What [take] returns; if that is null, all pieces that it took are free again. */
    fun <T : Any> allOrNothing(take: () -> T?): T? {
        val before = slabs.map { it.used }
        val firstBefore = firstForSmall
        return take() ?: null.also {
            slabs.forEachIndexed { index, slab -> slab.used = before.getOrElse(index) { 0 } }
            firstForSmall = firstBefore
        }
    }

    private fun piece(size: Int): ByteBuffer? {
        val piece = if (size <= SMALL) smallPiece(size) else slabs.firstNotNullOfOrNull { it.take(size) }
        return piece ?: newSlab(size)?.also(slabs::add)?.take(size)
    }

    private fun smallPiece(size: Int): ByteBuffer? {
        while (firstForSmall < slabs.size) {
            slabs[firstForSmall].take(size)?.let { return it }
            firstForSmall++
        }
        return null
    }

    /** With room for more, if the budget has it. */
    private fun newSlab(size: Int): Slab? = slabOf(generous(size)) ?: slabOf(size)

    /** Small pieces share a slab. State that has grown since the last save may go on growing. */
    private fun generous(size: Int): Int {
        val total = slabs.sumOf { it.size.toLong() }
        val spare = if (hasServed) size / SPARE_SHARE else 0
        return maxOf(size + spare, minOf(total, SHARED).toInt())
    }

    private fun slabOf(capacity: Int): Slab? {
        if (!budget.tryTake(capacity.toLong())) return null
        DirectMemory.forCopy(capacity)?.let { return Slab(it) }
        budget.giveBack(capacity.toLong())
        return null
    }

    /** Ends the use of all pieces. Slabs that the save did not need are given back; the others serve the next save. */
    fun clear() {
        giveBack(slabs.filter { it.used == 0 })
        slabs.forEach { it.used = 0 }
        firstForSmall = 0
        hasServed = true
    }

    /** Gives everything back. */
    fun close() = giveBack(slabs.toList())

    private fun giveBack(unneeded: List<Slab>) {
        slabs.removeAll(unneeded.toSet())
        budget.giveBack(unneeded.sumOf { it.size.toLong() })
    }

    companion object {
        private const val PIECE_SIZE = 1L shl 30
        private const val LINE = 64
        private const val SMALL = 1 shl 16
        private const val SHARED = 1L shl 20
        private const val SPARE_SHARE = 8
    }
}
