package dev.cairn.netcdf

import dev.cairn.comm.Communicator
import dev.cairn.comm.ROOT
import dev.cairn.comm.collectively
import dev.cairn.concentrate.Concentrators
import dev.cairn.concentrate.LogicalFile
import dev.cairn.concentrate.Request
import dev.cairn.concentrate.SubFile
import dev.cairn.concentrate.deal
import dev.cairn.concentrate.writeConcentrated
import dev.cairn.sion.netcdf.NetcdfWriter
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.stripe.SubFileLayout
import java.nio.ByteBuffer
import java.nio.file.Path

/** The NetCDF file of all [ranks], as one of them writes it; all functions are collective. */
internal class RecordFile(
    private val ranks: Communicator,
    private val store: BlockStore,
    private val path: Path,
    private val concentrators: Concentrators,
) {
    /** Writes what all ranks have between two places of the file. Returns when it is durable. */
    suspend fun write(
        from: Long,
        to: Long,
        request: Request,
    ) {
        val set = ranks.deal(concentrators, LogicalFile(to) { depthFor((to - from) / it) }, request)
        val isConcentrator = ranks.rank in set.concentrators
        var file: BlockFile? = null
        try {
            ranks.collectively("open $path") { if (isConcentrator) file = store.open(path, Access.READ_WRITE) }
            ranks.writeConcentrated(set, request, { SubFileOf(file!!, set.layout, it) }, "write the records of $path")
            ranks.collectively("force $path") { file?.force() }
        } finally {
            file?.close()
        }
    }

    /** Lets the first [count] records count, whose bytes are durable. Rank 0 does that. */
    suspend fun raiseRecordCount(count: Long) =
        ranks.collectively("raise the number of records of $path") {
            if (ranks.rank == ROOT) {
                NetcdfWriter.open(store, path).use {
                    it.raiseRecordCount(count)
                    it.force()
                }
            }
        }

    /** All concentrators have something to do if there is enough, and write large pieces. */
    private fun depthFor(share: Long): Long = (share / PAGE + 1).times(PAGE).coerceIn(LEAST_DEPTH, LARGEST_DEPTH)

    private companion object {
        const val PAGE = 4096L
        const val LEAST_DEPTH = 64L shl 10
        const val LARGEST_DEPTH = 16L shl 20
    }
}

/** Sub-file [number] of a [file] that has all stripes in their order. */
private class SubFileOf(
    private val file: BlockFile,
    private val layout: SubFileLayout,
    private val number: Int,
) : SubFile {
    override fun write(
        position: Long,
        bytes: ByteBuffer,
    ) = layout.forEachRunOf(number, position, bytes.remaining().toLong()) { _, local, offset, length ->
        file.write(offset, bytes.slice(bytes.position() + (local - position).toInt(), length.toInt()))
    }

    override fun read(
        position: Long,
        target: ByteBuffer,
    ): Unit = throw UnsupportedOperationException("records are only written")
}
