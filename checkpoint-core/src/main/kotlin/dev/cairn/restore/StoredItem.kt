package dev.cairn.restore

import dev.cairn.cells.CellDigest
import dev.cairn.cells.CellDigester
import dev.cairn.cells.Cells
import dev.cairn.cells.Image
import dev.cairn.cells.Runs
import dev.cairn.grid.Shape
import dev.cairn.redistribution.Distribution
import dev.cairn.redistribution.FieldPlan
import dev.cairn.redistribution.Frame
import dev.cairn.state.ElementType
import dev.cairn.state.FieldItem
import dev.cairn.state.PerRankItem
import dev.cairn.state.ReplicatedItem
import dev.cairn.state.TableOfContents
import dev.cairn.store.ManifestItem
import java.nio.ByteBuffer

/** An item as a checkpoint holds it, known from the checkpoint alone. Every byte that it gives out was verified. */
internal sealed class StoredItem(
    val described: ManifestItem,
    /** Its number in the streams of those who stored it. */
    val key: Int,
    protected val state: StoredState,
) {
    val name: String get() = described.name

    /** Reads all of it, and says how many elements there are. */
    abstract fun elementCount(): Long

    /** Reads all of it, and digests it as it was digested when it was saved; null if only a newer version knows how. */
    abstract fun digest(): CellDigest?

    /** How many bytes all ranks together have stored. */
    fun byteCount(): Long = state.contents.entries(key).sumOf { it.value.size }

    /** Hands out the bytes of one rank, frame by frame. */
    fun forEachFrame(
        rank: Int,
        use: (start: Long, frame: ByteBuffer) -> Unit,
    ) = state.forEachFrame(rank, key, use)

    /** How many ranks have saved the checkpoint. */
    val rankCount: Int get() = state.contents.tables.size

    /** The bytes that one rank has stored. */
    fun size(rank: Int): Long =
        state.contents.tables[rank]
            .entry(key)
            ?.size ?: 0

    /** A global array. */
    class Field(
        described: ManifestItem,
        key: Int,
        state: StoredState,
    ) : StoredItem(described, key, state) {
        val type = ElementType.valueOf(described.elementType.uppercase())
        val shape: Shape = Shape.of(*described.shape.toLongArray())

        override fun elementCount() = byteCount() / type.size

        override fun digest(): CellDigest {
            val digester = CellDigester()
            state.contents.tables.forEach { digest(it, digester) }
            return digester.digest()
        }

        /** How it comes to ranks that want these boxes. */
        fun planFor(wanted: Distribution): FieldPlan =
            FieldPlan.of(state.contents.distribution(key), wanted, type.size, TableOfContents.FRAME_SIZE)

        fun read(frame: Frame): ByteBuffer {
            val bytes = ByteBuffer.allocate(frame.size)
            state.readFrame(frame.writer, key, Math.toIntExact(frame.index), bytes)
            return bytes.flip()
        }

        private fun digest(
            table: TableOfContents,
            digester: CellDigester,
        ) {
            val boxes = table.entry(key)?.boxes.orEmpty()
            val starts = boxes.runningFold(0L) { start, box -> start + box.cellCount() }
            val images = boxes.zip(starts, ::Image)
            state.forEachFrame(table.rank, key) { start, frame ->
                val first = start / type.size
                val cells = Cells.of(frame, type.size)
                images
                    .flatMap { it.between(first, first + frame.remaining() / type.size) }
                    .forEach { cells.digest(digester, Runs.of(it.box, it, Image.of(shape.box()))) }
            }
        }
    }

    /** Bytes of one rank, or of each; those of [firstIndex] and its rank are numbered from there in the digest. */
    class Bytes(
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
            other: Bytes,
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
    }

    /** Of a kind that this version does not know: its frames can be verified, and no more. */
    class Unknown(
        described: ManifestItem,
        key: Int,
        state: StoredState,
    ) : StoredItem(described, key, state) {
        override fun elementCount() = described.elementCount

        override fun digest(): CellDigest? {
            state.contents.tables.forEach { table -> forEachFrame(table.rank) { _, _ -> } }
            return null
        }
    }

    companion object {
        private const val FRAME_SIZE = TableOfContents.FRAME_SIZE.toLong()

        fun of(
            described: ManifestItem,
            key: Int,
            state: StoredState,
        ): StoredItem =
            when (described.kind) {
                FieldItem.KIND -> Field(described, key, state)
                ReplicatedItem.KIND -> Bytes(described, key, state) { 0 }
                PerRankItem.KIND -> Bytes(described, key, state, PerRankItem.Companion::firstIndex)
                else -> Unknown(described, key, state)
            }
    }
}
