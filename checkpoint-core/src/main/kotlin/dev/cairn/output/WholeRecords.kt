package dev.cairn.output

import dev.cairn.comm.Communicator
import dev.cairn.comm.ROOT
import dev.cairn.comm.allReduce
import dev.cairn.comm.bytesOf
import dev.cairn.comm.collectively
import dev.cairn.comm.longsOf
import dev.cairn.event.CheckpointException.Details
import dev.cairn.event.CheckpointException.InvalidDeclaration
import dev.cairn.event.withTypedFailures
import dev.cairn.grid.Box
import dev.cairn.redistribution.Tiling
import java.nio.ByteBuffer
import java.nio.file.Path

/** Whether all ranks together have put each cell of a record of [path] once, for the variables that are appended. */
internal class WholeRecords(
    private val ranks: Communicator,
    private val path: Path,
    plan: OutputPlan,
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
        val boxes = variables.map { pending.boxes(it, record) }
        val ofRanks = ranks.gather(ROOT, encode(boxes)).map(::decode)
        withTypedFailures {
            ranks.collectively("compare the cells of all ranks") {
                if (ranks.rank == ROOT) {
                    for ((index, variable) in variables.withIndex()) {
                        requireTiled(record, variable, ofRanks.map { it[index] })
                    }
                }
            }
        }
    }

    private fun requireTiled(
        record: Long,
        variable: FileVariable,
        boxesByRank: List<List<Box>>,
    ) {
        val title = "record $record of variable '${variable.name}' in $path"
        val flaw = Tiling.flaw(title, variable.shape, boxesByRank)
        if (flaw.isPresent) throw InvalidDeclaration(Details(flaw.get(), listOf(variable.name), path))
    }

    /** For each variable the number of its boxes, and of each box the start and the extents. */
    private fun encode(boxes: List<List<Box>>): ByteBuffer {
        val numbers =
            boxes.flatMap { ofVariable ->
                listOf(ofVariable.size.toLong()) +
                    ofVariable.flatMap { box ->
                        List(box.dimensions()) { box.start(it) } + List(box.dimensions()) { box.extent(it) }
                    }
            }
        return bytesOf(*numbers.toLongArray())
    }

    private fun decode(bytes: ByteBuffer): List<List<Box>> {
        val numbers = longsOf(bytes).iterator()
        return variables.map { variable ->
            val dimensions = variable.shape.dimensions()
            List(numbers.nextLong().toInt()) {
                Box.of(LongArray(dimensions) { numbers.nextLong() }, LongArray(dimensions) { numbers.nextLong() })
            }
        }
    }
}
