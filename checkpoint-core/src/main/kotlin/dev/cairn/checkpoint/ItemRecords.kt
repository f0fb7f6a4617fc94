package dev.cairn.checkpoint

import dev.cairn.store.ManifestItem

/** The records of one item in an open checkpoint: those with its keys, in the streams of all ranks. */
internal class ItemRecords(
    val described: ManifestItem,
    /** The first of its keys; a table has one for each column. */
    val key: Int,
    val state: StoredState,
) {
    val keys: IntRange get() = key until key + described.keyCount

    /** The number of ranks that saved the checkpoint. */
    val rankCount: Int get() = state.contents.tables.size

    /** The bytes that one rank has stored. */
    fun size(rank: Int): Long = keys.sumOf { state.size(rank, it) }
}
