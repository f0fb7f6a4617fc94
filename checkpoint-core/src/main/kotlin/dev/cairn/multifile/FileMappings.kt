package dev.cairn.multifile

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.broadcastLong
import dev.cairn.ranks.gatherLong
import dev.cairn.sion.FileMapping

/**
 * Collective: one physical file for the ranks that pass the same [group]. Files are numbered in the order in which the
 * groups' lowest ranks appear.
 *
 * The mapping is valid for a multifile that the same ranks write together; each rank has only its own place in it.
 */
@JvmSynthetic
public suspend fun Communicator.filePerGroup(group: Int): FileMapping {
    val groups = gatherLong(ROOT, group.toLong())
    return FileMapping.byGroup { task -> if (rank == ROOT) groups[task].toInt() else group }
}

/** Collective: one physical file for the ranks of each host; otherwise as [filePerGroup]. */
@JvmSynthetic
public suspend fun Communicator.filePerHost(): FileMapping =
    filePerGroup(hostGroup().broadcastLong(ROOT, rank.toLong()).toInt())
