package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.payload.Payload
import dev.cairn.benchmarks.payload.checkAndDelete
import dev.cairn.sion.Grouping
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileSpec
import kotlin.io.path.deleteExisting

/** Groups reduce bytes and writes, which pays on a disk. In memory, the messages of a group cost more than they save. */
private const val AT_LEAST_ON_DISK = 1.0
private const val AT_LEAST_IN_MEMORY = 0.5

/** Many ranks write less than a block each: a collector for each group, against each rank for itself. */
internal fun benchGroups(bench: Bench) {
    val rankCount = bench.scale.groupedRanks
    val payload = Payload(Scale.SMALL_STATE_BYTES, rankCount)
    val together = GroupedFile(bench, "together.sion", Grouping.whereSmall(), payload)
    val alone = GroupedFile(bench, "alone.sion", Grouping.none(), payload)
    val atLeast = if (bench.isOnDisk) AT_LEAST_ON_DISK else AT_LEAST_IN_MEMORY
    val job = "$rankCount ranks write ${payload.pieceSize} bytes each"
    bench.compare("$job in groups, against each for itself", atLeast, together.side(), alone.side())
}

private class GroupedFile(bench: Bench, name: String, grouping: Grouping, private val payload: Payload) {
    private val path = bench.directory.resolve(name)
    private val spec =
        MultifileSpec
            .parallel(path)
            .withBlockSize(Scale.BLOCK_SIZE)
            .withGrouping(grouping)
            .withForcePolicy(bench.durability)

    fun side() = Side({ writeTogether(spec, payload) }, settle = ::checkAndDelete)

    private fun checkAndDelete() {
        Multifile.open(path).use { view ->
            for (rank in 0 until payload.pieceCount) {
                check(view.task(rank).size() == payload.pieceSize.toLong()) { "$path has another size of rank $rank" }
                view.read(rank, 0, payload.room())
                payload.requirePiece(rank)
            }
        }
        path.deleteExisting()
    }
}
