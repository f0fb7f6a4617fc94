package dev.cairn.item

import dev.cairn.base.counted
import dev.cairn.checkpoint.ItemRecords
import dev.cairn.state.elementTypeOf
import dev.cairn.store.ManifestItem

/** Rows, of which each rank has any number. The rule of a table determines their owners on another number of ranks. */
internal object TableKind : RuledKind("table", StoredForm.ROWS) {
    override val missingRule =
        MissingRule("a table", "Give it an owner, or declare it positionFree() if any rank may have any row")

    override fun isReadable(stored: ManifestItem) =
        stored.columns.isNotEmpty() && stored.columns.all { elementTypeOf(it.elementType) != null }

    override fun planOwn(
        item: ItemRecords,
        reads: RestartReads,
    ): String {
        addRows(item, reads)
        return EACH_FOR_ITSELF
    }

    override fun planMoved(
        item: ItemRecords,
        rule: RankChange,
        reads: RestartReads,
    ): String {
        val frameCount = addRows(item, reads)
        val next = if (rule == RankChange.OWNER) "and sent on to owners that the program names" else "in order"
        return "${counted(frameCount, "frame")}, each read once; the rows are dealt $next"
    }

    /** Adds the reads of all columns, and returns the number of their frames. */
    private fun addRows(
        item: ItemRecords,
        reads: RestartReads,
    ): Long {
        val cellSizes = item.described.columns.map { checkNotNull(elementTypeOf(it.elementType)).size }
        val rowCounts = (0 until reads.oldCount).map { item.state.size(it, item.key) / cellSizes.first() }
        val layout = RowLayout(rowCounts, reads.newCount)
        return cellSizes.sumOf { cellSize ->
            val plan = layout.plan(cellSize)
            reads.add(plan, cellSize)
            plan.frameCount()
        }
    }
}
