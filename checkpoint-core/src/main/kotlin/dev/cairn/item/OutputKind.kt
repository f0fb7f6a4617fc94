package dev.cairn.item

import dev.cairn.checkpoint.ItemRecords
import dev.cairn.comm.ROOT

/** Files outside of the checkpoint. On any number of ranks, rank 0 marks them and cuts them back. */
internal object OutputKind : ItemKind("output", StoredForm.MARK) {
    override val isOutside get() = true

    override fun plan(
        item: ItemRecords,
        reads: RestartReads,
    ): PlannedItem {
        reads.readers[ROOT].reads(item.size(ROOT))
        return item.planned("read by rank 0, which cuts the file back")
    }
}
