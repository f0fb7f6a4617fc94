package dev.cairn.reading

import dev.cairn.cells.CellDigest
import dev.cairn.store.ManifestItem

/** Of a kind, or of cells, that only a newer version knows: its frames can be verified, and no more. */
internal class StoredUnknown(
    described: ManifestItem,
    key: Int,
    state: StoredState,
) : StoredItem(described, key, state) {
    override fun elementCount() = described.elementCount

    override fun digest(): CellDigest? {
        for (key in keys) {
            state.contents.tables.forEach { table -> state.forEachFrame(table.rank, key) { _, _ -> } }
        }
        return null
    }
}
