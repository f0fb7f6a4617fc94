package dev.cairn.node

import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.NOTHING
import dev.cairn.ranks.NUMBER
import dev.cairn.ranks.Structure
import dev.cairn.ranks.one
import dev.cairn.ranks.text
import java.nio.ByteBuffer

/**
 * The message of rank 0 to each rank when all have written.
 *
 * @property meta the meta data that the keeper writes into its host's file
 * @property manifest the manifest of the save
 * @property targets the keepers of the hosts that hold copies of this host's file
 * @property sources the files of which this host holds copies
 * @property largest the size of the largest file that is copied; 0 if there are no copies. The same on all ranks
 */
internal class HostCompletion(
    val meta: HostMeta,
    val manifest: ByteBuffer,
    val targets: List<Int>,
    val sources: List<CopiedFile>,
    val largest: Long,
) {
    val manifestBytes: ByteArray get() = ByteArray(manifest.remaining()).also { manifest.duplicate().get(it) }

    companion object {
        /** For a rank that keeps no file. */
        fun ofOthers(largest: Long) =
            HostCompletion(HostMeta("", emptyList()), NOTHING, emptyList(), emptyList(), largest)
    }
}

/** The file [name] of the host of [keeper], with [size] bytes. */
internal class CopiedFile(val keeper: Int, val name: String, val size: Long)

private val COPIED_FILE =
    Structure(CopiedFile(0, "", 0)) { CopiedFile(u32(it.keeper), text(it.name), u64(it.size)) }

internal val HOST_COMPLETION =
    MessageFields("the meta data of a host's file", HostCompletion.ofOthers(0)) {
        HostCompletion(
            one(it.meta, HostMeta.STRUCTURE),
            bytes(it.manifest),
            list(it.targets, NUMBER),
            list(it.sources, COPIED_FILE),
            u64(it.largest),
        )
    }
