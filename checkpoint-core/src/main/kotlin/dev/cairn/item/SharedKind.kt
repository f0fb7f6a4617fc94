package dev.cairn.item

import dev.cairn.checkpoint.ItemRecords
import dev.cairn.comm.ROOT

/** A kind whose items are the same on all ranks, and stored by rank 0. */
internal abstract class SharedKind(
    name: String,
    form: StoredForm,
) : ItemKind(name, form) {
    override fun plan(
        item: ItemRecords,
        reads: RestartReads,
    ): PlannedItem {
        reads.readers[ROOT].reads(item.size(ROOT))
        reads.readers.drop(1).forEach { it.receives(item.size(ROOT)) }
        return item.planned("read by rank 0, and sent to all")
    }
}
