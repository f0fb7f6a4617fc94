package dev.cairn.item

import dev.cairn.comm.ROOT
import dev.cairn.stored.ItemRecords

/** Files outside of the checkpoint. Rank 0 looks after them on any number of ranks. */
internal object OutputKind : ItemKind("output", StoredForm.MARK) {
    override fun plan(
        item: ItemRecords,
        reads: RestartReads,
    ): PlannedItem {
        reads.readers[ROOT].reads(item.size(ROOT))
        return item.planned("read by rank 0, which cuts the file back")
    }
}
