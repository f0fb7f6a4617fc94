package dev.cairn.reading

import dev.cairn.checkpoint.ItemRecords
import dev.cairn.redistribution.CellDigest
import dev.cairn.redistribution.DigestFormula

/** An item of a kind, or with cells of a type, that only a newer version can read: only its frames can be verified. */
internal class StoredUnknown(override val records: ItemRecords) : StoredItem() {
    override fun countElements() = elementCount

    override fun digest(formula: DigestFormula): CellDigest? {
        for (key in records.keys) {
            state.contents.tables.forEach { table -> state.forEachFrame(table.rank, key) { _, _ -> } }
        }
        return null
    }
}
