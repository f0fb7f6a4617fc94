package dev.cairn.restore

import dev.cairn.reading.distribution
import dev.cairn.redistribution.FieldPlan
import dev.cairn.state.Contents
import dev.cairn.state.TableOfContents
import java.util.concurrent.ConcurrentHashMap

/**
 * Who stored which boxes, and who wants which now; the ranks of a process share one, so that a plan is made once. Any
 * thread may call it.
 */
internal class Layouts(
    private val stored: Contents,
    private val wanted: Contents,
) {
    private val plans = ConcurrentHashMap<Pair<Int, Int>, FieldPlan>()
    private val rows = ConcurrentHashMap<Int, RowLayout>()

    /** The plan for a field that was stored as [storedKey] and is wanted as [wantedKey]. */
    fun plan(
        storedKey: Int,
        wantedKey: Int,
        elementSize: Int,
    ): FieldPlan =
        plans.computeIfAbsent(storedKey to wantedKey) {
            FieldPlan.of(stored.distribution(storedKey), wanted.distribution(wantedKey), elementSize, FRAME_SIZE)
        }

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
