package dev.cairn.reading

import dev.cairn.cells.CellDigest
import dev.cairn.state.FieldItem
import dev.cairn.state.RankChange
import dev.cairn.state.TableItem
import dev.cairn.state.elementTypeOf
import dev.cairn.store.ManifestItem
import java.nio.ByteBuffer

/** An item as a checkpoint holds it, known from the checkpoint alone. Every byte that it gives out was verified. */
internal sealed class StoredItem(
    val described: ManifestItem,
    /** The first of its keys in the streams of those who stored it. */
    val key: Int,
    protected val state: StoredState,
) {
    val name: String get() = described.name

    /** What became of it on another number of ranks when it was saved; null if it has no such rule, or no known one. */
    val rule: RankChange? get() = RankChange.of(described.layout)

    /** How many elements all ranks together have stored. */
    abstract fun elementCount(): Long

    /** Reads all of it, and digests it as it was digested when it was saved; null if only a newer version knows how. */
    abstract fun digest(): CellDigest?

    /** How many bytes all ranks together have stored. */
    fun byteCount(): Long = (0 until rankCount).sumOf(::size)

    /** A table has one key for each column. */
    protected val keys: IntRange get() = key until key + described.keyCount

    /** Hands out the bytes of one rank, frame by frame. */
    fun forEachFrame(
        rank: Int,
        use: (start: Long, frame: ByteBuffer) -> Unit,
    ) = state.forEachFrame(rank, key, use)

    /** How many ranks have saved the checkpoint. */
    val rankCount: Int get() = state.contents.tables.size

    /** The bytes that one rank has stored. */
    fun size(rank: Int): Long = keys.sumOf { state.size(rank, it) }

    companion object {
        fun of(
            described: ManifestItem,
            key: Int,
            state: StoredState,
        ): StoredItem =
            when (described.kind) {
                FieldItem.KIND, TableItem.KIND -> ofCells(described, key, state)
                in StoredBytes.KINDS -> StoredBytes(described, key, state)
                else -> StoredUnknown(described, key, state)
            }

        private fun ofCells(
            described: ManifestItem,
            key: Int,
            state: StoredState,
        ): StoredItem {
            val types = described.columns.map { it.elementType }.ifEmpty { listOf(described.elementType) }
            return when {
                types.any { elementTypeOf(it) == null } -> StoredUnknown(described, key, state)
                described.kind == TableItem.KIND -> StoredTable(described, key, state)
                else -> StoredField(described, key, state)
            }
        }
    }
}
