package dev.cairn.item

import dev.cairn.checkpoint.TableOfContents
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.redistribution.Distribution
import dev.cairn.redistribution.FieldPlan
import java.util.concurrent.ConcurrentHashMap

/**
 * The stored rows of a table as a field of one dimension, numbered through all writers, and the rows that each rank reads: its
 * own on the same number of ranks, and nearly equal shares on another one, or the [shares] of these sizes. Any thread may call it.
 */
internal class RowLayout(rowCounts: List<Long>, rankCount: Int, shares: List<Long>? = null) {
    val shape: Shape = Shape.of(rowCounts.reduce(Math::addExact))

    private val stored = oneBehindTheOther(rowCounts)
    private val requested =
        shares?.let(::oneBehindTheOther) ?: if (rowCounts.size == rankCount) stored else equalShares(rankCount)
    private val storedDistribution = Distribution.of(stored)
    private val requestedDistribution = Distribution.of(requested)
    private val plans = ConcurrentHashMap<Int, FieldPlan>()

    private fun oneBehindTheOther(counts: List<Long>): List<List<Box>> {
        val starts = counts.runningFold(0L, Math::addExact)
        return counts.mapIndexed { at, count -> listOf(Box.of(longArrayOf(starts[at]), longArrayOf(count))) }
    }

    private fun equalShares(rankCount: Int): List<List<Box>> =
        Decomposition.rows(shape, rankCount).let { rows -> List(rankCount) { rows.boxes(it) } }

    /** The rows that [rank] reads; null for none. */
    fun share(rank: Int): Box? = requested[rank].firstOrNull()

    /** The plan for the cells of a column, which have [elementSize] bytes each. */
    fun plan(elementSize: Int): FieldPlan =
        plans.computeIfAbsent(elementSize) {
            FieldPlan.of(storedDistribution, requestedDistribution, it, TableOfContents.FRAME_SIZE)
        }
}
