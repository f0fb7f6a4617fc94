package dev.cairn.restore

import dev.cairn.comm.ROOT
import dev.cairn.contents.Contents
import dev.cairn.contents.TableOfContents
import dev.cairn.failure.CheckpointException
import dev.cairn.grid.Box
import dev.cairn.item.CellItem
import dev.cairn.item.Coverage
import dev.cairn.item.RowLayout
import dev.cairn.redistribution.Distribution
import dev.cairn.redistribution.FieldPlan
import dev.cairn.store.Manifest
import dev.cairn.stored.distribution
import java.util.Optional
import java.util.concurrent.ConcurrentHashMap

/**
 * Which rank stored which boxes, and which rank wants them now; the ranks of a process share one, so that a plan is made once. Any
 * thread may call it.
 */
internal class Layouts(
    private val stored: Contents,
    private val wanted: Contents,
) {
    private val plans = ConcurrentHashMap<Pair<Int, Int>, FieldPlan>()
    private val rows = ConcurrentHashMap<Int, RowLayout>()
    private val refusals = ConcurrentHashMap<Int, Optional<Refusal>>()

    /** The plan for a field that was stored as [storedKey] and is wanted as [wantedKey]. */
    fun plan(
        storedKey: Int,
        wantedKey: Int,
        elementSize: Int,
    ): FieldPlan =
        plans.computeIfAbsent(storedKey to wantedKey) {
            FieldPlan.of(stored.distribution(storedKey), wanted.distribution(wantedKey), elementSize, FRAME_SIZE)
        }

    /** Why a field cannot be restored into the blocks that the ranks want now; null if it can. */
    fun refusalOf(
        match: Match<CellItem>,
        manifest: Manifest,
    ): Refusal? =
        refusals
            .computeIfAbsent(match.storedKey) {
                Optional.ofNullable(findRefusal(match, manifest))
            }.orElse(null)

    private fun findRefusal(
        match: Match<CellItem>,
        manifest: Manifest,
    ): Refusal? {
        val field = match.item
        runCatching { field.requireTiled(wanted.tables) }.onFailure { return Refusal(ROOT, it) }
        return wanted.tables.indices.firstNotNullOfOrNull { rank ->
            val failure = runCatching { requireStored(field, match, manifest, rank) }.exceptionOrNull()
            failure?.let { Refusal(rank, it) }
        }
    }

    /**
     * Refuses what [rank] wants of [field] and no rank has stored, and, on rank 0, what was stored and no rank wants. Where both
     * the stored and the wanted blocks make up the whole field, neither can be.
     */
    private fun requireStored(
        field: CellItem,
        match: Match<CellItem>,
        manifest: Manifest,
        rank: Int,
    ) {
        val storedCoverage = Coverage.of(match.stored.layout)
        if (storedCoverage == Coverage.WHOLE && field.coverage == Coverage.WHOLE) return
        val held = stored.distribution(match.storedKey)
        val wishes = wanted.distribution(field.key)
        wanted.tables[rank]
            .boxesOf(field.key)
            .firstGapIn(held)
            ?.let { throw notStored(match, manifest, rank, it) }
        if (rank == ROOT && wishes.cellCount() < held.cellCount()) {
            stored.tables.flatMap { it.boxesOf(match.storedKey) }.firstGapIn(wishes)?.let {
                throw notWanted(match, manifest, it)
            }
        }
    }

    private fun TableOfContents.boxesOf(key: Int): List<Box> = entry(key)?.boxes.orEmpty()

    private fun List<Box>.firstGapIn(cells: Distribution): Box? = firstNotNullOfOrNull { cells.gapIn(it).orElse(null) }

    /** Where the rows of a table are stored, of whose first column each cell has [elementSize] bytes. */
    fun rows(
        storedKey: Int,
        elementSize: Int,
    ): RowLayout =
        rows.computeIfAbsent(storedKey) { key ->
            val sizes = stored.tables.map { it.entry(key)?.size ?: 0L }
            RowLayout(sizes.map { it / elementSize }, wanted.tables.size)
        }

    private companion object {
        const val FRAME_SIZE = TableOfContents.FRAME_SIZE
    }
}

/** The [failure] of one [rank], of which all ranks know. */
internal class Refusal(
    val rank: Int,
    val failure: Throwable,
)

private fun notStored(
    match: Match<CellItem>,
    manifest: Manifest,
    rank: Int,
    gap: Box,
) = CheckpointException.SchemaDiffers(
    match.stored.name,
    "rank $rank asks for the cells $gap of '${match.item.name}', but no rank had them in save ${manifest.save}, " +
        "which holds ${match.stored.elementCount} cells of it. $ASK_FOR_STORED",
)

private fun notWanted(
    match: Match<CellItem>,
    manifest: Manifest,
    gap: Box,
) = CheckpointException.SchemaDiffers(
    match.stored.name,
    "save ${manifest.save} holds the cells $gap of '${match.stored.name}', for which no rank asks: state is never " +
        "dropped in silence. $ASK_FOR_STORED",
)

private const val ASK_FOR_STORED =
    "Ask for the blocks that were stored: keep their boxes in a replicated value, which is restored before the fields."
