package dev.cairn.output

import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.withTypedFailures
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.collectively
import dev.cairn.redistribution.Tiling
import java.nio.file.Path

/** Whether all ranks together have put each cell of a record of [path] once, for the variables that are appended. */
internal class WholeRecords(
    private val ranks: Communicator,
    private val path: Path,
    private val plan: OutputPlan,
    private val pending: PendingPuts,
) {
    private val variables = plan.sources.map { it.variable }

    /**
     * Collective: refuses [records] of which cells are missing. It only counts them; two ranks that put the same cell in place of
     * another one are refused where the cells are written.
     */
    suspend fun requireCounts(records: LongRange) {
        if (variables.isEmpty()) return
        val counts = ranks.allReduce(LongArray(variables.size) { pending.cellCount(variables[it]) }, Long::plus)
        val recordCount = records.last - records.first + 1
        val expected = variables.map { recordCount * it.shape.cellCount() }
        if (counts.asList() != expected) records.forEach { requireTiled(it) }
    }

    /** Collective: refuses [record] if cells are missing or have two ranks, and names them. */
    suspend fun requireTiled(record: Long) {
        if (variables.isEmpty()) return
        val own = pending.places.filter { it.record == record && it.variable in variables }
        val messages = ranks.gather(ROOT, RankPlaces.encode(own))
        withTypedFailures {
            ranks.collectively("compare the cells of all ranks") {
                if (ranks.rank == ROOT) requireTiled(record, RankPlaces.decode(messages, plan.variables))
            }
        }
    }

    private fun requireTiled(record: Long, places: RankPlaces) =
        variables.forEach {
            val title = "record $record of variable '${it.name}' in $path"
            val flaw = Tiling.flaw(title, it.shape, places.boxesOf(it))
            if (flaw.isPresent) throw InvalidDeclaration(Details(flaw.get(), listOf(it.name), path))
        }
}
