package dev.cairn.reading

import dev.cairn.cells.CellDigest
import dev.cairn.cells.DigestFormula
import dev.cairn.stored.ItemRecords

/** An item of a kind, or with cells of a type, that only a newer version can read: only its frames can be verified. */
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
