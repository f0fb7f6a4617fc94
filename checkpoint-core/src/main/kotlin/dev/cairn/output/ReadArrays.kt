@file:JvmSynthetic

package dev.cairn.output

import dev.cairn.concentrate.Concentrators
import dev.cairn.concentrate.JoinedRequest
import dev.cairn.concentrate.Request
import dev.cairn.concentrate.deal
import dev.cairn.concentrate.readConcentrated
import dev.cairn.output.OwnedArrays.OwnedArray
import dev.cairn.ranks.BYTES
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.collectively
import dev.cairn.ranks.copiedBytes
import dev.cairn.ranks.decide
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * Collective: reads the boxes that the ranks declare from arrays in [file], which any ranks wrote with [writeArrays]. Boxes may
 * overlap, and not all cells or arrays need to be read. The names, types and shapes must be those of the file.
 *
 * Each byte is compared with its checksum, and all are of one file, even if [writeArrays] of another program replaces it meanwhile. On
 * a failure all ranks throw the same [dev.cairn.event.RankFailedException], and the arrays in memory may hold anything.
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
    repeat(TRIES) { if (ArrayFileReading(reading, store, path).read(concentrators, arrays)) return }
    reading.collectively("open $path") {
        throw IOException(
            "$path was another file on a concentrator than on rank $ROOT, $TRIES times in turn. Read it when no " +
                "program replaces it; if none does, keep it where all hosts see the same file",
        )
    }
}

/** A file is replaced between two openings now and then, but hardly so often in turn. */
private const val TRIES = 5

/** One try to read a file, which another program may replace by a newer one before all concentrators have opened it. */
private class ArrayFileReading(
    private val ranks: Communicator,
    private val store: BlockStore,
    private val path: Path,
) {
    /** On rank 0 and on concentrators. */
    private var file: BlockFile? = null

    /** Collective: false, and nothing was read, if not all concentrators have opened the file of which rank 0 has the table. */
    suspend fun read(concentrators: Concentrators, arrays: List<OwnedArray>): Boolean {
        try {
            val bytes = readTable()
            val table = ArrayTable.decode(bytes)
            val request =
                ranks.collectively("compare the arrays with those of $path") {
                    JoinedRequest(arrays.map { it.requestIn(table, path) })
                }
            val set = ranks.deal(concentrators, ArrayFilePlan.of(table).file, request)
            if (!openOn(set.concentrators, bytes, table.length)) return false
            val shared = file?.let { SharedFile(it, set.layout, table.frameSize, table.sums.toLongArray()) }
            ranks.readConcentrated(set, request) { number, position, bytes -> shared!!.read(number, position, bytes) }
            return true
        } finally {
            file?.close()
        }
    }

    private suspend fun readTable(): ByteArray {
        val table = ranks.decide("read the table of $path", BYTES) { ByteBuffer.wrap(ArrayFileEnd.readTable(open())) }
        return table.copiedBytes()
    }

    private suspend fun openOn(concentrators: List<Int>, table: ByteArray, length: Long): Boolean {
        val isSame =
            ranks.collectively("open $path") {
                ranks.rank !in concentrators || ArrayFileEnd.isOf(file ?: open(), table, length)
            }
        return ranks.allReduce(if (isSame) 1 else 0, Math::min) == 1L
    }

    private fun open(): BlockFile = store.open(path, Access.READ).also { file = it }
}

private fun OwnedArray.requestIn(table: ArrayTable, path: Path): Request {
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
