@file:JvmSynthetic

package dev.cairn.arrays

import dev.cairn.arrays.OwnedArrays.OwnedArray
import dev.cairn.comm.Communicator
import dev.cairn.comm.ROOT
import dev.cairn.comm.broadcast
import dev.cairn.comm.collectively
import dev.cairn.concentrate.Concentrators
import dev.cairn.concentrate.JoinedRequest
import dev.cairn.concentrate.Request
import dev.cairn.concentrate.ServedFile
import dev.cairn.concentrate.deal
import dev.cairn.concentrate.readConcentrated
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * Collective: reads the boxes that the ranks declare from arrays in [file], which any ranks wrote with [writeArrays]. Boxes may
 * overlap, and not all cells or arrays need to be read. The names, types and shapes must be those of the file.
 *
 * Each byte is compared with its checksum. On a failure all ranks throw the same [dev.cairn.failure.RankFailedException], and the
 * arrays in memory may hold anything.
 *
 * @param concentrators the ranks that read for all; those of rank 0 count
 * @param store where the file is; the ranks of a process may share one
 * @param declare called once on each rank; what is read comes into the arrays that it declares
 */
public suspend fun Communicator.readArrays(
    file: Path,
    concentrators: Concentrators = Concentrators.perHost(1),
    store: BlockStore = FileBlockStore(),
    declare: OwnedArrays.() -> Unit,
) {
    val path = file.toAbsolutePath()
    val reading = during("read the arrays of $file")
    val arrays = reading.declared("reads", path, declare)
    val table = reading.readTable(store, path)
    val request =
        reading.collectively("compare the arrays with those of $path") {
            JoinedRequest(arrays.map { it.requestIn(table, path) })
        }
    val set = reading.deal(concentrators, ArrayFilePlan.of(table).file, request)
    reading.readCells(store, path, table, set, request)
}

private suspend fun Communicator.readTable(
    store: BlockStore,
    path: Path,
): ArrayTable {
    val bytes =
        collectively("read the table of $path") {
            if (rank == ROOT) store.open(path, Access.READ).use(ArrayFileEnd::readTable) else null
        }
    val table = broadcast(ROOT) { ByteBuffer.wrap(bytes!!) }
    return ArrayTable.decode(ByteArray(table.remaining()).also { table.get(it) })
}

private fun OwnedArray.requestIn(
    table: ArrayTable,
    path: Path,
): Request {
    val entry = table.arrays.find { it.name == name }
    require(entry != null) {
        "$path has no array '$name'; it has ${table.arrays.joinToString { "'${it.name}'" }}. Declare one of these"
    }
    val (declared, stored) = entryAt(0).facts() to entry.facts()
    require(declared == stored) {
        "$path: the array declared is $declared, but the file has $stored. Declare it as it is in the file"
    }
    return requestAt(entry.offset)
}

private suspend fun Communicator.readCells(
    store: BlockStore,
    path: Path,
    table: ArrayTable,
    set: ServedFile,
    request: Request,
) {
    val isConcentrator = rank in set.concentrators
    var file: BlockFile? = null
    try {
        collectively("open $path") { if (isConcentrator) file = store.open(path, Access.READ) }
        val shared = file?.let { SharedFile(it, set.layout, table.frameSize, table.sums.toLongArray()) }
        readConcentrated(set, request) { shared!!.subFile(it) }
    } finally {
        file?.close()
    }
}
