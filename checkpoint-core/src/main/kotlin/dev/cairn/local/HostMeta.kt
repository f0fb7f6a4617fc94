package dev.cairn.local

import dev.cairn.comm.MessageFields
import dev.cairn.comm.NOTHING
import dev.cairn.multifile.task.FileMaking
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileLayout
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.PositionedOutput
import dev.cairn.structure.Structure
import dev.cairn.structure.one
import dev.cairn.structure.text
import java.nio.ByteBuffer
import java.nio.file.Path
import java.util.zip.CRC32C

/** The hosts make their files, and complete them with the [meta] data that rank 0 computes. */
internal class MakingByHosts : FileMaking {
    /** For each host, when all tasks have written. */
    var meta: List<HostMeta> = emptyList()
        private set

    override fun create(
        store: BlockStore,
        layout: MultifileLayout,
    ) = Unit

    override fun complete(
        store: BlockStore,
        layout: MultifileLayout,
        usages: List<TaskUsage>,
    ) {
        meta = List(layout.fileCount()) { HostMeta.of(layout, usages, it) }
    }
}

/** The meta data of the physical file [name] of a local save, as the pieces that its keeper writes. */
internal class HostMeta(
    val name: String,
    private val pieces: List<Piece>,
) {
    class Piece(
        val position: Long,
        val bytes: ByteBuffer,
    )

    /** Of all pieces, in the order of their places: of META1 and META2, as [Draining] finds them in the file. */
    val checksum: Int
        get() {
            val crc = CRC32C()
            pieces.sortedBy { it.position }.forEach { crc.update(it.bytes.duplicate()) }
            return crc.value.toInt()
        }

    fun writeTo(file: PositionedOutput) = pieces.forEach { file.write(it.position, it.bytes.duplicate()) }

    companion object {
        private val PIECE = Structure(Piece(0, NOTHING)) { Piece(u64(it.position), bytes(it.bytes)) }

        val STRUCTURE = Structure(HostMeta("", emptyList())) { HostMeta(text(it.name), list(it.pieces, PIECE)) }

        fun of(
            layout: MultifileLayout,
            usages: List<TaskUsage>,
            fileNumber: Int,
        ): HostMeta {
            val pieces = mutableListOf<Piece>()
            val path = layout.file(fileNumber)
            Multifile.writeMeta(layout, usages, fileNumber, Collecting(path, pieces))
            return HostMeta("${path.fileName}", pieces)
        }
    }

    private class Collecting(
        private val path: Path,
        private val pieces: MutableList<Piece>,
    ) : PositionedOutput {
        override fun path() = path

        override fun write(
            position: Long,
            source: ByteBuffer,
        ) {
            val copy = ByteBuffer.allocate(source.remaining()).put(source).flip()
            pieces += Piece(position, copy)
        }
    }
}

/** What the keeper of a host gets from rank 0 to complete its file: the [meta] data, and the [manifest] of the save. */
internal class HostCompletion(
    val meta: HostMeta,
    val manifest: ByteBuffer,
) {
    val manifestBytes: ByteArray get() = ByteArray(manifest.remaining()).also { manifest.duplicate().get(it) }

    companion object {
        /** For a rank that keeps no file. */
        val NONE = HostCompletion(HostMeta("", emptyList()), NOTHING)
    }
}

internal val HOST_COMPLETION =
    MessageFields("the meta data of a host's file", HostCompletion.NONE) {
        HostCompletion(one(it.meta, HostMeta.STRUCTURE), bytes(it.manifest))
    }
