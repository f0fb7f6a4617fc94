package dev.cairn.output

import dev.cairn.concentrate.JoinedRequest
import dev.cairn.concentrate.LogicalFile
import dev.cairn.concentrate.Request
import dev.cairn.concentrate.deal
import dev.cairn.concentrate.writeConcentrated
import dev.cairn.item.OutputOwner
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.collectively
import dev.cairn.sion.netcdf.NetcdfReader
import dev.cairn.sion.netcdf.NetcdfWriter
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import java.io.IOException
import java.nio.file.Path

/**
 * The NetCDF file of all [ranks], as one of them writes it. The writers open it first; then rank 0 makes sure that the program still
 * owns its store. So no byte gets into the file of a successor, which is another one.
 */
internal class RecordFile(
    private val ranks: Communicator,
    private val store: BlockStore,
    private val path: Path,
    private val plan: OutputPlan,
) {
    var owner: OutputOwner = OutputOwner.NoStore

    /** Collective: the file, to write [records] behind those that it must have now; null if this rank is no [writer][isWriter]. */
    suspend fun open(isWriter: Boolean, records: LongRange): BlockFile? {
        var file: BlockFile? = null
        try {
            ranks.collectively("open $path") { if (isWriter) file = openGrowing() }
            ranks.collectively("write the output $path") {
                if (ranks.rank == ROOT) {
                    owner.requireHeld()
                    requireOwn(records.first)
                }
            }
            return file
        } catch (failure: Throwable) {
            file.use { throw failure }
        }
    }

    private fun openGrowing(): BlockFile {
        store.requireGrowing(path)
        return store.open(path, Access.READ_WRITE)
    }

    /**
     * Collective: the concentrators take what all ranks have between two places of the file.
     *
     * @param requests come one after the other, so that later ones replace bytes of earlier ones
     * @param memory how many bytes a concentrator holds; the others are durable when this returns
     */
    suspend fun gather(records: LongRange, from: Long, to: Long, requests: List<Request>, memory: Long): Batch {
        val file = LogicalFile(to) { depthFor((to - from) / it) }
        // Once, so that one concentrator has all bytes of a place, in the order of the requests.
        val set = ranks.deal(plan.concentrators, file, JoinedRequest(requests))
        val batch = GatheredBatch(open(ranks.rank in set.concentrators, records), records, memory)
        try {
            for (request in requests) {
                ranks.writeConcentrated(
                    set,
                    request,
                    { number, position, bytes -> batch.put(set.layout, number, position, bytes) },
                    "gather the records of $path",
                ) { position -> plan.placeOf(position)?.toString() ?: "byte $position" }
            }
            ranks.collectively("force $path") { batch.forceDirect() }
            return batch
        } catch (failure: Throwable) {
            batch.use { throw failure }
        }
    }

    /** On rank 0: refuses a file that is not the one with [records] that this program has left. */
    private fun requireOwn(records: Long) {
        store.requireGrowing(path)
        NetcdfReader.openStrict(store, path).use { file ->
            if (file.layout().header(0) != plan.layout.header(0)) throw IOException("$path $ANOTHER. $REMEDY")
            if (file.recordCount() != records) throw changed(file.recordCount(), records)
        }
        requireBytes(records)
    }

    /** The record count is in the header, so it is right even if the end of the file was cut off. */
    private fun requireBytes(records: Long) {
        val (size, expected) = store.open(path, Access.READ).use { it.size() } to plan.layout.size(records)
        if (size >= expected) return
        throw IOException(
            "$path has $size bytes, but its $records records need $expected: it was cut by another program, and " +
                "no later save succeeds. End this program, and start it again with a whole copy of the file, or with " +
                "lost-outputs = begin-anew",
        )
    }

    /** How many records count durably, as far as this program has raised their number. */
    private var durableCount = UNKNOWN

    /**
     * On rank 0, on any thread: [records], whose bytes are durable, count from now on with those before them. What a failed force leaves
     * in the file must be taken for lost, so it is written again.
     */
    @Synchronized
    fun raiseRecordCount(records: LongRange) {
        requireBytes(records.last + 1)
        NetcdfWriter.open(store, path).use {
            owner.requireHeld()
            val found = it.recordCount()
            val count = records.last + 1
            if (found < count && found != records.first) throw changed(found, records.first)
            if (found > count || (found == count && durableCount == count)) return
            durableCount = UNKNOWN
            it.raiseRecordCount(count)
            it.force()
            durableCount = count
        }
    }

    private fun changed(found: Long, expected: Long) =
        IOException("$path has $found records and should have the $expected of this program: it $ANOTHER. $REMEDY")

    /** All concentrators have something to do if there is enough, and write large pieces. */
    private fun depthFor(share: Long): Long = (share / PAGE + 1).times(PAGE).coerceIn(LEAST_DEPTH, LARGEST_DEPTH)
}

private const val UNKNOWN = -1L
private const val ANOTHER = "was changed or replaced by another program"
private const val REMEDY = "Find and end that program, and start this one again: that cuts the file back"
private const val PAGE = 4096L
private const val LEAST_DEPTH = 64L shl 10
private const val LARGEST_DEPTH = 16L shl 20

/** Refuses an output of this program that is not there any more. */
internal fun BlockStore.requireGrowing(path: Path) {
    if (!exists(path)) throw IOException("$path was moved or deleted while it grows. Put it back before the next save")
}
