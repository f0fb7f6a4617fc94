package dev.cairn.restore

import dev.cairn.checkpoint.Contents
import dev.cairn.checkpoint.TableOfContents
import dev.cairn.checkpoint.distribution
import dev.cairn.grid.Box
import dev.cairn.item.CellItem
import dev.cairn.item.Coverage
import dev.cairn.item.RowLayout
import dev.cairn.item.notFitting
import dev.cairn.ranks.ROOT
import dev.cairn.redistribution.Distribution
import dev.cairn.redistribution.FieldPlan
import dev.cairn.store.Manifest
import java.util.Optional
import java.util.concurrent.ConcurrentHashMap

/**
 * The boxes that each rank stored, and those that each rank requests now. The ranks of a process share one, so that a plan is
 * made once. Any thread may call it.
 */
internal class Layouts(private val stored: Contents, private val requested: Contents) {
    private val plans = ConcurrentHashMap<Pair<Int, Int>, FieldPlan>()
    private val rows = ConcurrentHashMap<Int, RowLayout>()
    private val refusals = ConcurrentHashMap<Int, Optional<Refusal>>()

    /** The plan for a field that was stored as [storedKey] and is requested as [requestedKey]. */
    fun plan(storedKey: Int, requestedKey: Int, elementSize: Int): FieldPlan =
        plans.computeIfAbsent(storedKey to requestedKey) {
            FieldPlan.of(stored.distribution(storedKey), requested.distribution(requestedKey), elementSize, FRAME_SIZE)
        }

    /** The reason why a field cannot be restored into the requested blocks; null if it can. */
    fun refusalOf(match: Match<CellItem>, manifest: Manifest): Refusal? =
        refusals
            .computeIfAbsent(match.storedKey) {
                Optional.ofNullable(findRefusal(match, manifest))
            }.orElse(null)

    private fun findRefusal(match: Match<CellItem>, manifest: Manifest): Refusal? {
        val field = match.item
        runCatching { field.requireTiled(requested.tables) }.onFailure { return Refusal(ROOT, it) }
        return requested.tables.indices.firstNotNullOfOrNull { rank ->
            val failure = runCatching { requireStored(field, match, manifest, rank) }.exceptionOrNull()
            failure?.let { Refusal(rank, it) }
        }
    }

    /**
     * Refuses cells of [field] that [rank] requests and no rank has stored, and, on rank 0, cells that were stored and that no
     * rank requests. Neither exist if both the stored and the requested blocks make up the whole field.
     */
    private fun requireStored(field: CellItem, match: Match<CellItem>, manifest: Manifest, rank: Int) {
        val storedCoverage = Coverage.of(match.stored.layout)
        if (storedCoverage == Coverage.WHOLE && field.coverage == Coverage.WHOLE) return
        val held = stored.distribution(match.storedKey)
        val requests = requested.distribution(field.key)
        requested.tables[rank]
            .boxesOf(field.key)
            .firstGapIn(held)
            ?.let { throw notStored(match, manifest, rank, it) }
        if (rank == ROOT && requests.cellCount() < held.cellCount()) {
            stored.tables.flatMap { it.boxesOf(match.storedKey) }.firstGapIn(requests)?.let {
                throw notRequested(match, manifest, it)
            }
        }
    }

    private fun TableOfContents.boxesOf(key: Int): List<Box> = entry(key)?.boxes.orEmpty()

    private fun List<Box>.firstGapIn(cells: Distribution): Box? = firstNotNullOfOrNull { cells.gapIn(it).orElse(null) }

    /** The layout of the rows of a table. Each cell of its first column has [elementSize] bytes. */
    fun rows(storedKey: Int, elementSize: Int): RowLayout =
        rows.computeIfAbsent(storedKey) { RowLayout(rowCounts(it, elementSize), requested.tables.size) }

    /** As the other one, if the ranks request [shares] of these sizes. */
    fun rows(storedKey: Int, elementSize: Int, shares: List<Long>): RowLayout =
        rows.computeIfAbsent(storedKey) { RowLayout(rowCounts(it, elementSize), requested.tables.size, shares) }

    private fun rowCounts(storedKey: Int, elementSize: Int) =
        stored.tables.map { (it.entry(storedKey)?.size ?: 0L) / elementSize }

    private companion object {
        const val FRAME_SIZE = TableOfContents.FRAME_SIZE
    }
}

/** The [failure] of one [rank], which all ranks have computed. */
internal class Refusal(val rank: Int, val failure: Throwable)

private fun notStored(match: Match<CellItem>, manifest: Manifest, rank: Int, gap: Box) =
    notFitting(
        match.stored.name,
        "rank $rank requests the cells $gap of '${match.item.name}', but no rank stored them in save " +
            "${manifest.save}, which holds ${match.stored.elementCount} cells of it. $REQUEST_STORED",
    )

private fun notRequested(match: Match<CellItem>, manifest: Manifest, gap: Box) =
    notFitting(
        match.stored.name,
        "save ${manifest.save} holds the cells $gap of '${match.stored.name}', which no rank requests: state is " +
            "never dropped in silence. $REQUEST_STORED",
    )

private const val REQUEST_STORED =
    "Request the blocks that were stored: keep their boxes in a replicated value, which is restored before the fields."
