package dev.cairn.restore

import dev.cairn.cells.CellDigest
import dev.cairn.cells.CellDigester
import dev.cairn.state.PerRankItem
import dev.cairn.state.TableOfContents
import dev.cairn.store.ManifestItem
import java.nio.ByteBuffer

/** Bytes of one rank, or of each; those of [firstIndex] and its rank are numbered from there in the digest. */
internal class StoredBytes(
    described: ManifestItem,
    key: Int,
    state: StoredState,
    private val firstIndex: (rank: Int) -> Long,
) : StoredItem(described, key, state) {
    val isPerRank: Boolean get() = described.kind == PerRankItem.KIND

    override fun elementCount() = byteCount()

    /** The frames of one rank, by their sizes. */
    fun frameSizes(rank: Int): List<Long> =
        (0 until size(rank) step FRAME_SIZE).map { minOf(FRAME_SIZE, size(rank) - it) }

    /** Hands out the frames of one rank in pairs with those of [other], as far as both have them. */
    fun framesWith(
        other: StoredBytes,
        rank: Int,
        use: (start: Long, own: ByteBuffer, others: ByteBuffer) -> Unit,
    ) {
        val sizes = frameSizes(rank).zip(other.frameSizes(rank))
        for ((index, pair) in sizes.withIndex()) {
            use(index * FRAME_SIZE, read(rank, index, pair.first), other.read(rank, index, pair.second))
        }
    }

    private fun read(
        rank: Int,
        index: Int,
        size: Long,
    ): ByteBuffer {
        val frame = ByteBuffer.allocate(size.toInt())
        state.readFrame(rank, key, index, frame)
        return frame.flip()
    }

    override fun digest(): CellDigest {
        val digester = CellDigester()
        for (table in state.contents.tables) {
            forEachFrame(table.rank) { start, frame ->
                digester.add(frame, 1, 0, frame.remaining(), firstIndex(table.rank) + start)
            }
        }
        return digester.digest()
    }

    private companion object {
        const val FRAME_SIZE = TableOfContents.FRAME_SIZE.toLong()
    }
}
