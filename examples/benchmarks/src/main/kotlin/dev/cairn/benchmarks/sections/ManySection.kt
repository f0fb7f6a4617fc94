package dev.cairn.benchmarks.sections

import dev.cairn.Checkpoints
import dev.cairn.benchmarks.report.AtMost
import dev.cairn.benchmarks.report.Figure
import dev.cairn.benchmarks.report.Quartiles
import dev.cairn.checkpoints
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.runRanks
import dev.cairn.sion.ForcePolicy
import dev.cairn.state.ElementType
import kotlin.system.measureNanoTime

private const val CELLS_PER_RANK = 1024L

/** Very many simulated ranks save and restore a field; the time includes the start and the end of the ranks. */
internal fun benchMany(bench: Bench) = bench.scale.checkpointRanks.forEach { benchMany(bench, it) }

private fun benchMany(bench: Bench, count: Int) {
    // The code is compiled after a number of ranks have gone through it, so large runs need fewer rounds.
    val warmUpCount = bench.warmUpPairs * bench.scale.checkpointRanks.first() / count
    val times =
        List(warmUpCount + bench.pairCount) {
            val saving = seconds { onRanks(bench, count, count) { it.save(1) } }
            val restoring = seconds { onRanks(bench, count, count) { checkNotNull(it.restore()) } }
            val elsewhere = seconds { onRanks(bench, count, count / 4) { checkNotNull(it.restore()) } }
            bench.directory.resolve("many.cairn").deleteAll()
            listOf(saving, restoring, elsewhere)
        }.drop(warmUpCount)
    val goal = AtMost(if (count <= 4_096) 0.15 else 3.0)
    listOf("$count ranks save", "$count ranks restore", "${count / 4} ranks restore what $count saved")
        .forEachIndexed { job, name ->
            bench.report(Figure(name, Quartiles.of(times.map { it[job] }), "s", goal))
        }
}

private fun seconds(job: () -> Unit) = measureNanoTime(job) / 1e9

private fun onRanks(bench: Bench, writerCount: Int, rankCount: Int, use: suspend (Checkpoints) -> Unit) {
    val shape = Shape.of(writerCount * CELLS_PER_RANK)
    val options =
        CheckpointOptions {
            blockSize = Scale.BLOCK_SIZE
            durability = ForcePolicy.NEVER
        }
    runRanks(rankCount) {
        val box = Decomposition.rows(shape, size).boxes(rank).single()
        val array = DoubleArray(box.cellCount().toInt()) { (box.start(0) + it).toDouble() }
        checkpoints(bench.directory.resolve("many.cairn"), options) {
            field("state", shape, ElementType.DOUBLE) { block(box, array) }
        }.use { use(it) }
    }
}
