package dev.cairn.reading

import dev.cairn.cells.CellDigest
import dev.cairn.cells.CellDigester
import dev.cairn.state.OutputItem
import dev.cairn.state.PerRankItem
import dev.cairn.state.ReplicatedItem
import dev.cairn.state.StreamItem
import dev.cairn.store.ManifestItem
import java.io.InputStream
import java.io.SequenceInputStream
import java.util.Enumeration

/** Bytes of rank 0 for all, or of each rank its own: what objects, streams and the marks of outputs are stored as. */
internal class StoredBytes(
    described: ManifestItem,
    key: Int,
    state: StoredState,
) : StoredItem(described, key, state) {
    /** Whether each rank has its own. */
    val isPrivate: Boolean get() = described.kind in PRIVATE

    val isStream: Boolean get() = described.kind == StreamItem.KIND

    override fun elementCount() = byteCount()

    /** The bytes of some ranks, one after another; a frame of them is in memory. */
    fun open(ranks: IntRange): InputStream {
        val next = ranks.iterator()
        return SequenceInputStream(
            object : Enumeration<InputStream> {
                override fun hasMoreElements() = next.hasNext()

                override fun nextElement() = StreamInput(state, next.nextInt(), key)
            },
        )
    }

    override fun digest(): CellDigest {
        val digester = CellDigester()
        for (rank in 0 until rankCount) {
            forEachFrame(rank) { start, frame ->
                digester.add(frame, 1, 0, frame.remaining(), firstIndex(rank) + start)
            }
        }
        return digester.digest()
    }

    /** The number of the first byte of a rank in the digest. */
    private fun firstIndex(rank: Int): Long =
        when {
            isStream -> StreamItem.firstIndex(rank)
            isPrivate -> PerRankItem.firstIndex(rank)
            else -> 0
        }

    companion object {
        private val SHARED = setOf(ReplicatedItem.KIND, ReplicatedItem.RANDOM_STREAMS, OutputItem.KIND)
        private val PRIVATE = setOf(PerRankItem.KIND, PerRankItem.ACCUMULATOR, StreamItem.KIND)

        /** What is stored so. */
        val KINDS = SHARED + PRIVATE
    }
}
