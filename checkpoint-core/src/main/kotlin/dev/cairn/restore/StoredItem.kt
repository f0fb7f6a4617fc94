package dev.cairn.restore

import dev.cairn.cells.CellDigest
import dev.cairn.state.FieldItem
import dev.cairn.state.PerRankItem
import dev.cairn.state.ReplicatedItem
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

    /** How many elements all ranks together have stored. */
    abstract fun elementCount(): Long

    /** Reads all of it, and digests it as it was digested when it was saved; null if only a newer version knows how. */
    abstract fun digest(): CellDigest?

    /** How many bytes all ranks together have stored. */
    fun byteCount(): Long = keys.sumOf { key -> state.contents.entries(key).sumOf { it.value.size } }

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
    fun size(rank: Int): Long =
        state.contents.tables[rank]
            .entry(key)
            ?.size ?: 0

    companion object {
        fun of(
            described: ManifestItem,
            key: Int,
            state: StoredState,
        ): StoredItem =
            when (described.kind) {
                FieldItem.KIND -> StoredField(described, key, state)
                ReplicatedItem.KIND -> StoredBytes(described, key, state) { 0 }
                PerRankItem.KIND -> StoredBytes(described, key, state, PerRankItem.Companion::firstIndex)
                else -> StoredUnknown(described, key, state)
            }
    }
}
