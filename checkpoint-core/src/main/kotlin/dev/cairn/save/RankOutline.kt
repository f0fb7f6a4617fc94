package dev.cairn.save

import dev.cairn.checkpoint.TableOfContents
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.rankText
import dev.cairn.item.CellItem
import dev.cairn.item.StateItem
import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.NOTHING
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.Structure
import dev.cairn.ranks.flag
import dev.cairn.ranks.one
import dev.cairn.redistribution.CellDigest
import java.nio.ByteBuffer

/**
 * A rank's report to rank 0 before anything is written: with those of all ranks, rank 0 refuses state that differs from its
 * declaration.
 *
 * @property tableSize the size that its table of contents will have
 * @property boxes a table of contents without checksums
 * @property items the outline of each item, in the order of declaration
 */
internal class RankOutline(val tableSize: Long, val boxes: ByteBuffer, val items: List<Item>) {
    /**
     * @property hasMoved whether the rank has other boxes than when all were last compared
     * @property digest for an item that is the same on all ranks only
     */
    class Item(val hasMoved: Boolean, val digest: CellDigest)
}

/** Refuses blocks that do not make up their fields, and replicated values that differ. */
internal fun List<StateItem>.requireAlike(outlines: List<RankOutline>) {
    requireTiled(outlines)
    forEachIndexed { index, item -> if (item.isReplicated) requireSame(item, outlines.map { it.items[index].digest }) }
}

/** Blocks that have not moved since the last comparison need not be compared again. */
private fun List<StateItem>.requireTiled(outlines: List<RankOutline>) {
    val moved = filterIndexed { index, _ -> outlines.any { it.items[index].hasMoved } }
    if (moved.isEmpty()) return
    val tables = outlines.map { TableOfContents.decode(it.boxes) }
    moved.filterIsInstance<CellItem>().forEach { it.requireTiled(tables) }
}

private fun requireSame(item: StateItem, digests: List<CellDigest>) {
    val others = digests.indices.filter { digests[it] != digests[ROOT] }
    if (others.isEmpty()) return
    throw InvalidDeclaration(
        Details(
            "'${item.name}' is declared as replicated, so all ranks should have the same value, but ${rankText(
                others,
            )} and " +
                "rank 0 do not. Nothing was saved: make it the same, or declare it as perRank.",
            listOf(item.name),
        ),
    )
}

private val ITEM =
    Structure(RankOutline.Item(false, CellDigest.NONE)) { RankOutline.Item(flag(it.hasMoved), one(it.digest, DIGEST)) }

internal val RANK_OUTLINE =
    MessageFields("the outline of a rank's state", RankOutline(0, NOTHING, emptyList())) {
        RankOutline(u64(it.tableSize), bytes(it.boxes), list(it.items, ITEM))
    }
