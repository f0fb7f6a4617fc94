package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.payload.Payload
import dev.cairn.benchmarks.payload.checkAndDelete
import dev.cairn.benchmarks.report.WritesResult
import dev.cairn.multifile.writeMultifile
import dev.cairn.ranks.runRanks
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.Grouping
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import kotlin.io.path.deleteExisting
import kotlin.io.path.fileSize

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
    bench.report(together.writes("$job in groups"))
    bench.report(alone.writes("$job for themselves"))
}

private class GroupedFile(bench: Bench, name: String, grouping: Grouping, private val payload: Payload) {
    private val path = bench.directory.resolve(name)
    private val spec =
        MultifileSpec
            .parallel(path)
            .withBlockSize(Scale.BLOCK_SIZE)
            .withGrouping(grouping)
            .withForcePolicy(if (bench.isOnDisk) ForcePolicy.ON_CLOSE else ForcePolicy.NEVER)

    fun side() = Side({ write(FileBlockStore()) }, ::checkAndDelete)

    fun writes(name: String): WritesResult {
        val files = CountedOperations()
        write(files)
        return WritesResult(
            name,
            files.count(BlockStore.Operation.Kind.WRITE),
            path.fileSize(),
        ).also { checkAndDelete() }
    }

    private fun write(files: BlockStore) {
        runRanks(payload.pieceCount) {
            writeMultifile(spec, payload.pieceSize.toLong(), files) { it.write(payload.pieceOfItsOwn(rank)) }
        }
    }

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
