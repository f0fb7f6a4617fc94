package dev.cairn.reading

import dev.cairn.cells.CellDigest
import dev.cairn.cells.DigestFormula
import dev.cairn.stored.ItemRecords

/** Of a kind, or of cells, that only a newer version knows: its frames can be verified, and no more. */
public class StoredUnknown internal constructor(
    internal override val records: ItemRecords,
) : StoredItem() {
    internal override fun countElements() = elementCount

    internal override fun digest(formula: DigestFormula): CellDigest? {
        for (key in records.keys) {
            state.contents.tables.forEach { table -> state.forEachFrame(table.rank, key) { _, _ -> } }
        }
        return null
    }
}
