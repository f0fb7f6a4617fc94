package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.baseline.writeFilePerRank
import dev.cairn.benchmarks.payload.Payload
import dev.cairn.benchmarks.payload.checkAndDelete
import dev.cairn.benchmarks.report.CostGrowthResult
import dev.cairn.benchmarks.report.Quartiles
import dev.cairn.multifile.writeMultifile
import dev.cairn.ranks.runRanks
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.MultifileSpec
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.deleteExisting
import kotlin.system.measureNanoTime

/** The cost of a file for each rank is highest on a disk. */
private const val AT_LEAST_ON_DISK = 2.0
private const val AT_LEAST_IN_MEMORY = 0.7
private const val AT_MOST_COST_GROWTH = 1.5

/**
 * Very many simulated ranks write a multifile together, against a file for each of them. The largest number comes first, so that
 * the small ones do not include the time to load the code.
 */
internal fun benchRanks(bench: Bench) {
    bench.scale.rankCounts.forEach { compareRanks(bench, it) }
    compareCosts(bench, bench.scale.rankCounts.min(), bench.scale.rankCounts.max())
}

private fun compareRanks(bench: Bench, rankCount: Int) {
    val payload = Payload(Scale.TASK_BYTES, rankCount)
    val multifile = bench.directory.resolve("ranks.sion")
    val directory = bench.directory.resolve("ranks").createDirectory()
    val files = List(rankCount) { directory.resolve("rank.$it") }
    val stride = Scale.BLOCK_SIZE.toLong()
    bench.compare(
        "$rankCount ranks write ${payload.pieceSize} bytes each, against a file for each",
        atLeast = if (bench.isOnDisk) AT_LEAST_ON_DISK else AT_LEAST_IN_MEMORY,
        ours =
            Side({ writeTogether(multifile, payload) }) {
                payload.checkAndDelete(multifile, firstChunk(rankCount), stride)
            },
        baseline = Side({ writeFilePerRank(files, payload) }) { payload.checkAndDelete(files) },
    )
    directory.deleteExisting()
}

/** Both numbers in turn, with the same total of ranks, so that the garbage collector has the same work. */
private fun compareCosts(bench: Bench, few: Int, many: Int) {
    val pairs =
        List(Duel.WARM_UP_PAIRS + bench.pairCount) {
            nanosPerRank(bench, few, runCount = many / few) to nanosPerRank(bench, many, runCount = 1)
        }.drop(Duel.WARM_UP_PAIRS)
    bench.report(
        CostGrowthResult(
            "cost per rank, $many ranks against $few",
            growth = Quartiles.of(pairs.map { (fewNanos, manyNanos) -> manyNanos / fewNanos }),
            nanosAmongFew = Quartiles.of(pairs.map { it.first }),
            nanosAmongMany = Quartiles.of(pairs.map { it.second }),
            AT_MOST_COST_GROWTH,
        ),
    )
}

private fun nanosPerRank(bench: Bench, rankCount: Int, runCount: Int): Double {
    val payload = Payload(Scale.TASK_BYTES, rankCount)
    val files = List(runCount) { bench.directory.resolve("cost-$it.sion") }
    val nanos = measureNanoTime { files.forEach { writeTogether(it, payload) } }
    files.forEach { payload.checkAndDelete(it, firstChunk(rankCount), Scale.BLOCK_SIZE.toLong()) }
    return nanos.toDouble() / rankCount / runCount
}

/** The whole run of the simulated ranks: they start, create the multifile, write, close it, and end. */
private fun writeTogether(path: Path, payload: Payload) {
    val spec =
        MultifileSpec.parallel(path).withBlockSize(Scale.BLOCK_SIZE).withForcePolicy(ForcePolicy.NEVER)
    runRanks(payload.pieceCount) {
        writeMultifile(spec, payload.pieceSize.toLong()) { it.write(payload.pieceOfItsOwn(rank)) }
    }
}
