package dev.cairn.concentrate

import dev.cairn.comm.Communicator
import dev.cairn.comm.ROOT
import dev.cairn.comm.broadcast
import dev.cairn.comm.bytesOf
import dev.cairn.comm.collectively
import dev.cairn.comm.gatherText
import dev.cairn.comm.longsOf

/**
 * Collective: the ranks that are the [concentrators] of rank [ROOT]. It chooses for all, since lists of hosts on all ranks would grow
 * with the square of their number.
 */
internal suspend fun Communicator.chosen(concentrators: Concentrators): List<Int> {
    val hosts = gatherText(ROOT, host)
    val chosen =
        collectively("choose concentrators") { if (rank == ROOT) concentrators.among(hosts) else emptyList() }
    val ranks = broadcast(ROOT) { bytesOf(*LongArray(chosen.size) { chosen[it].toLong() }) }
    return longsOf(ranks).map { it.toInt() }
}
