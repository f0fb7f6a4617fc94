package dev.cairn.local

import dev.cairn.comm.Communicator
import dev.cairn.comm.ROOT
import dev.cairn.comm.broadcastLong
import dev.cairn.comm.gatherLong
import dev.cairn.comm.gatherText
import dev.cairn.sion.FileMapping
import dev.cairn.store.HostPlace

/**
 * The hosts of the ranks, in the order of their lowest ranks. A local save has one physical file on each, with the number of the
 * host. The lowest rank of a host is its keeper: it completes, drains and deletes the host's files.
 *
 * @property isKeeper whether this rank is one
 * @property keepers of all hosts, in their order; empty on ranks other than 0
 * @property names of all hosts, in their order; empty on ranks other than 0
 */
internal class Hosts private constructor(
    val isKeeper: Boolean,
    val keepers: List<Int>,
    val names: List<String>,
    val mapping: FileMapping,
) {
    /** Where each host keeps its part of a save. */
    fun placesOf(
        files: List<HostMeta>,
        saves: LocalSaves,
    ): List<HostPlace> = names.zip(files) { host, file -> HostPlace(file.name, "$host below $saves", file.checksum) }

    companion object {
        /** Collective. */
        suspend fun of(ranks: Communicator): Hosts {
            val keeper = ranks.hostGroup().broadcastLong(ROOT, ranks.rank.toLong()).toInt()
            val ofAll = ranks.gatherLong(ROOT, keeper.toLong()).map { it.toInt() }
            val names = ranks.gatherText(ROOT, ranks.host)
            val keepers = ofAll.distinct()
            return Hosts(
                isKeeper = keeper == ranks.rank,
                keepers,
                keepers.map { names[it] },
                FileMapping.byGroup { rank -> if (ranks.rank == ROOT) ofAll[rank] else keeper },
            )
        }
    }
}
