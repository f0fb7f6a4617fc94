package dev.cairn.reading

import dev.cairn.cells.CellDigest
import dev.cairn.cells.CellDigester
import java.io.InputStream
import java.io.SequenceInputStream
import java.nio.ByteBuffer
import java.util.Enumeration

/** An item of bytes: those of rank 0 for all, or of each rank its own. */
public sealed class StoredBytes : StoredItem() {
    /** Whether each rank has its own. */
    internal open val isPrivate: Boolean get() = false

    internal override fun countElements() = countBytes()

    /** The number of the first byte of a rank in the digest. */
    internal open fun firstIndex(rank: Int): Long = 0

    /** The bytes of some ranks, one after another; a frame of them is in memory. */
    internal fun open(ranks: IntRange): InputStream {
        val next = ranks.iterator()
        return SequenceInputStream(
            object : Enumeration<InputStream> {
                override fun hasMoreElements() = next.hasNext()

                override fun nextElement() = StreamInput(state, next.nextInt(), key)
            },
        )
    }

    internal override fun digest(): CellDigest {
        val digester = CellDigester()
        for (rank in 0 until rankCount) {
            forEachFrame(rank) { start, frame ->
                digester.add(frame, 1, 0, frame.remaining(), firstIndex(rank) + start)
            }
        }
        return digester.digest()
    }

    /** What [ranks], who are all that store any of it, have stored; it is compared with the counts and the digest. */
    internal fun readAll(ranks: IntRange): List<ByteBuffer> {
        requireCounts()
        val all = ranks.map { state.readWhole(it, key) }
        val digester = CellDigester()
        all.zip(ranks) { each, rank -> digester.add(each, 1, each.position(), each.remaining(), firstIndex(rank)) }
        requireDigest(digester.digest())
        return all
    }
}

internal fun ByteBuffer.toArray(): ByteArray = ByteArray(remaining()).also { duplicate().get(it) }
