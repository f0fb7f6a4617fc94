package dev.cairn.item

import dev.cairn.base.counted
import dev.cairn.checkpoint.ItemRecords
import dev.cairn.checkpoint.TableOfContents
import dev.cairn.checkpoint.distribution
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.redistribution.Distribution
import dev.cairn.redistribution.FieldPlan
import dev.cairn.state.elementTypeOf
import dev.cairn.store.ManifestItem

/** Global arrays: on any number of ranks, their cells are sent to the ranks that request them. */
internal object FieldKind : ItemKind("field", StoredForm.CELLS) {
    override fun isReadable(stored: ManifestItem) = elementTypeOf(stored.elementType) != null

    /** Assumes equal shares of the rows, since the blocks of the program are not known. */
    override fun plan(
        item: ItemRecords,
        reads: RestartReads,
    ): PlannedItem {
        val stored = item.described
        val cellSize = checkNotNull(elementTypeOf(stored.elementType)).size
        val rows = Decomposition.rows(Shape.of(*stored.shape.toLongArray()), reads.newCount)
        val held = item.state.contents.distribution(item.key)
        val plan = FieldPlan.of(held, Distribution.of(rows.boxes()), cellSize, TableOfContents.FRAME_SIZE)
        reads.add(plan, cellSize)
        val share = if (Coverage.of(stored.layout) == Coverage.SPARSE) "what was stored of its rows" else "its rows"
        return item.planned("${counted(plan.frameCount(), "frame")}, each read once; then every rank gets $share")
    }
}
