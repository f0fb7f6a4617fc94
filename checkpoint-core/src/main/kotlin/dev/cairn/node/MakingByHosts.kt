package dev.cairn.node

import dev.cairn.multifile.FileMaking
import dev.cairn.multifile.POSITIONED_BYTES
import dev.cairn.multifile.PositionedBytes
import dev.cairn.multifile.WriteBatch
import dev.cairn.multifile.write
import dev.cairn.ranks.Structure
import dev.cairn.ranks.text
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileLayout
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.PositionedOutput
import java.util.zip.CRC32C

/**
 * The files of a local save: the hosts create them, and complete them with the [meta] data that rank 0 computes.
 *
 * @param rooms the room on each host, on rank 0
 */
internal class MakingByHosts(private val hosts: Hosts, private val rooms: List<HostRoom>) : FileMaking {
    /** The meta data for each host, once all tasks have written. */
    var meta: List<HostMeta> = emptyList()
        private set

    override suspend fun prepare(store: BlockStore, layout: MultifileLayout, sizes: List<Long>) {
        val ofFiles = LongArray(layout.fileCount())
        sizes.forEachIndexed { task, size -> ofFiles[layout.slot(task).fileNumber()] += size }
        for ((host, room) in rooms.withIndex()) {
            room.require(hosts.filesOn(host).sumOf { ofFiles[it] }, hosts.names[host])
        }
    }

    override fun complete(store: BlockStore, layout: MultifileLayout, usages: List<TaskUsage>) {
        meta = List(layout.fileCount()) { HostMeta.of(layout, usages, it) }
    }
}

/** The meta data of the physical file [name] of a local save, as the pieces that its keeper writes. */
internal class HostMeta(val name: String, private val pieces: List<PositionedBytes>) {
    /** The checksum of all pieces in the order of their positions: META1 and META2, as [Draining] finds them in the file. */
    val checksum: Int
        get() {
            val crc = CRC32C()
            pieces.sortedBy { it.position }.forEach { crc.update(it.bytes.duplicate()) }
            return crc.value.toInt()
        }

    /** Of the whole file: META2 is its end. */
    val fileSize: Long get() = pieces.maxOf { it.end }

    fun writeTo(file: PositionedOutput) = pieces.forEach(file::write)

    companion object {
        val STRUCTURE =
            Structure(HostMeta("", emptyList())) { HostMeta(text(it.name), list(it.pieces, POSITIONED_BYTES)) }

        fun of(layout: MultifileLayout, usages: List<TaskUsage>, fileNumber: Int): HostMeta {
            val pieces = WriteBatch()
            val path = layout.file(fileNumber)
            Multifile.writeMeta(layout, usages, fileNumber, pieces.output(path))
            return HostMeta("${path.fileName}", pieces.runs)
        }
    }
}
