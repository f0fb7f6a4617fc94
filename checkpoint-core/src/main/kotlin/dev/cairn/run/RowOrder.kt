package dev.cairn.run

import dev.cairn.checkpoint.FramePool
import dev.cairn.checkpoint.TableOfContents
import dev.cairn.checkpoint.TableOfContents.Companion.FRAME_SIZE
import dev.cairn.item.RowItem
import dev.cairn.item.SizedPart
import dev.cairn.item.StateItem
import dev.cairn.redistribution.DigestFormula
import dev.cairn.save.fillFrame

/**
 * The tables among [items] whose bytes on this rank differ from [stored], its table of contents. The digest of a table does not depend
 * on the order of its rows, so if the digest is right, rows are in another order or on another rank.
 */
internal suspend fun FramePool.tablesOutOfOrder(
    items: List<StateItem>,
    stored: TableOfContents,
): List<StateItem> =
    items.filter { item ->
        item is RowItem && item.capture(stored.rank).parts.any { !isAsIn(stored, it as SizedPart) }
    }

private suspend fun FramePool.isAsIn(
    stored: TableOfContents,
    column: SizedPart,
): Boolean {
    val unused = DigestFormula.NEWEST.cells()
    val checksums =
        (0 until column.size step FRAME_SIZE.toLong()).map { start ->
            borrow { frame -> column.fillFrame(frame, start, unused) }
        }
    return checksums == stored.entry(column.key)?.checksums.orEmpty()
}
