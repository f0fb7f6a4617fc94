package dev.cairn.node

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.broadcastLong
import dev.cairn.ranks.collectively
import dev.cairn.ranks.gatherLong
import dev.cairn.ranks.gatherText
import dev.cairn.sion.FileMapping
import dev.cairn.store.HostPlace
import java.nio.ByteBuffer

/**
 * The hosts of the ranks, in the order of their lowest ranks. A local save has one physical file on each, with the number of the
 * host. The lowest rank of a host is its keeper: it completes, drains and deletes the host's files.
 *
 * @property isKeeper whether this rank is a keeper
 * @property keepers of all hosts, in their order; empty on ranks other than 0
 * @property names of all hosts, in their order; empty on ranks other than 0
 * @property copies the placement of the copies of their files; on ranks other than 0 there are none
 */
internal class Hosts private constructor(
    val isKeeper: Boolean,
    val keepers: List<Int>,
    val names: List<String>,
    val mapping: FileMapping,
    val copies: CopyPlacement,
) {
    /** The places of each host's file and of its copies. */
    fun placesOf(files: List<HostMeta>, saves: LocalSaves): List<HostPlace> =
        files.flatMapIndexed { host, file ->
            val holders = listOf(host) + copies.targetsOf(host)
            holders.map { HostPlace(file.name, "${names[it]} below $saves", file.checksum) }
        }

    /** The numbers of the files of which [host] holds one or a copy. */
    fun filesOn(host: Int): List<Int> = listOf(host) + copies.sourcesOf(host)

    /** The message for each rank when all have written; [metas] are those of all hosts. */
    fun completions(metas: List<HostMeta>, manifest: ByteBuffer, rankCount: Int): List<HostCompletion> {
        val largest = if (copies.count == 0) 0 else metas.maxOf { it.fileSize }
        val hostOf = keepers.withIndex().associate { (host, keeper) -> keeper to host }
        return List(rankCount) { rank ->
            val host = hostOf[rank] ?: return@List HostCompletion.ofOthers(largest)
            val sources = copies.sourcesOf(host).map { CopiedFile(keepers[it], metas[it].name, metas[it].fileSize) }
            HostCompletion(metas[host], manifest, copies.targetsOf(host).map { keepers[it] }, sources, largest)
        }
    }

    companion object {
        /** Collective; [place] chooses the places of copies on rank 0, for the names of all hosts. */
        suspend fun of(ranks: Communicator, place: (hosts: List<String>) -> CopyPlacement): Hosts {
            val keeper = ranks.hostGroup().broadcastLong(ROOT, ranks.rank.toLong()).toInt()
            val ofAll = ranks.gatherLong(ROOT, keeper.toLong()).map { it.toInt() }
            val namesOfAll = ranks.gatherText(ROOT, ranks.host)
            val keepers = ofAll.distinct()
            val names = keepers.map { namesOfAll[it] }
            val copies =
                ranks.collectively("place copies on other hosts") {
                    if (ranks.rank == ROOT) place(names) else CopyPlacement.NONE
                }
            val mapping = FileMapping.byGroup { rank -> if (ranks.rank == ROOT) ofAll[rank] else keeper }
            return Hosts(isKeeper = keeper == ranks.rank, keepers, names, mapping, copies)
        }
    }
}
