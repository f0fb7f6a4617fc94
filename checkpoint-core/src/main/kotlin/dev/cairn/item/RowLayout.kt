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
 * own on the same number of ranks, and nearly equal shares on another one. Any thread may call it.
 */
internal class RowLayout(rowCounts: List<Long>, rankCount: Int) {
    private val starts = rowCounts.runningFold(0L, Math::addExact)
    val shape: Shape = Shape.of(starts.last())

    private val stored = List(rowCounts.size) { listOf(Box.of(longArrayOf(starts[it]), longArrayOf(rowCounts[it]))) }
    private val requested = if (rowCounts.size == rankCount) stored else shares(rankCount)
    private val storedDistribution = Distribution.of(stored)
    private val requestedDistribution = Distribution.of(requested)
    private val plans = ConcurrentHashMap<Int, FieldPlan>()

    private fun shares(rankCount: Int): List<List<Box>> =
        Decomposition.rows(shape, rankCount).let { rows -> List(rankCount) { rows.boxes(it) } }

    /** The rows that [rank] reads; null for none. */
    fun share(rank: Int): Box? = requested[rank].firstOrNull()

    /** The plan for the cells of a column, which have [elementSize] bytes each. */
    fun plan(elementSize: Int): FieldPlan =
        plans.computeIfAbsent(elementSize) {
            FieldPlan.of(storedDistribution, requestedDistribution, it, TableOfContents.FRAME_SIZE)
        }
}
