package dev.cairn.item

import dev.cairn.contents.TableOfContents
import dev.cairn.grid.Box
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.redistribution.Distribution
import dev.cairn.redistribution.FieldPlan
import java.util.concurrent.ConcurrentHashMap

/**
 * Where the rows of a table are stored, seen as a field of one dimension that is numbered through all its writers, and which
 * rank reads which of them: as many ranks as wrote read what they wrote, and others nearly equal shares. Any thread may call
 * it.
 */
internal class RowLayout(
    rowCounts: List<Long>,
    rankCount: Int,
) {
    private val starts = rowCounts.runningFold(0L, Math::addExact)
    val shape: Shape = Shape.of(starts.last())

    private val stored = List(rowCounts.size) { listOf(Box.of(longArrayOf(starts[it]), longArrayOf(rowCounts[it]))) }
    private val wanted = if (rowCounts.size == rankCount) stored else shares(rankCount)
    private val storedDistribution = Distribution.of(stored)
    private val wantedDistribution = Distribution.of(wanted)
    private val plans = ConcurrentHashMap<Int, FieldPlan>()

    private fun shares(rankCount: Int): List<List<Box>> =
        Decomposition.rows(shape, rankCount).let { rows -> List(rankCount) { rows.boxes(it) } }

    /** The rows that [rank] reads; null for none. */
    fun share(rank: Int): Box? = wanted[rank].firstOrNull()

    /** How the cells of a column come, if each has [elementSize] bytes. */
    fun plan(elementSize: Int): FieldPlan =
        plans.computeIfAbsent(elementSize) {
            FieldPlan.of(storedDistribution, wantedDistribution, it, TableOfContents.FRAME_SIZE)
        }
}
