package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.baseline.writeFilePerRank
import dev.cairn.benchmarks.payload.Payload
import dev.cairn.benchmarks.payload.checkAndDelete
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.MultifileSpec
import kotlin.io.path.createDirectory
import kotlin.io.path.deleteExisting

/** The cost of a file for each rank is highest on a disk. */
private const val AT_LEAST_ON_DISK = 2.0
private const val AT_LEAST_IN_MEMORY = 0.7

/**
 * Very many simulated ranks write a multifile together, against a file for each of them. The largest number comes first, so that
 * the small ones do not include the time to load the code.
 */
internal fun benchRanks(bench: Bench) = bench.scale.rankCounts.forEach { compareRanks(bench, it) }

private fun compareRanks(bench: Bench, rankCount: Int) {
    val payload = Payload(Scale.TASK_BYTES, rankCount)
    val multifile = bench.directory.resolve("ranks.sion")
    val spec = MultifileSpec.parallel(multifile).withBlockSize(Scale.BLOCK_SIZE).withForcePolicy(ForcePolicy.NEVER)
    val directory = bench.directory.resolve("ranks").createDirectory()
    val files = List(rankCount) { directory.resolve("rank.$it") }
    val stride = Scale.BLOCK_SIZE.toLong()
    bench.compare(
        "$rankCount ranks write ${payload.pieceSize} bytes each, against a file for each",
        atLeast = if (bench.isOnDisk) AT_LEAST_ON_DISK else AT_LEAST_IN_MEMORY,
        ours =
            Side({ writeTogether(spec, payload) }) {
                payload.checkAndDelete(multifile, firstChunk(rankCount), stride)
            },
        baseline = Side({ writeFilePerRank(files, payload) }) { payload.checkAndDelete(files) },
    )
    directory.deleteExisting()
}
