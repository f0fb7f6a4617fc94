package dev.cairn.concentrate

import dev.cairn.concentrate.Request.Companion.NONE
import dev.cairn.ranks.BYTES
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.bytesOf
import dev.cairn.ranks.decide
import dev.cairn.ranks.longsOf
import dev.cairn.sion.stripe.PagePlacement
import dev.cairn.sion.stripe.PageTable

/**
 * Collective: gives each stripe of [depth] bytes to the nearest of the [concentrators].
 *
 * @param hosts of all ranks, on rank [ROOT]
 * @param length the bytes of the logical file, all of which get a place
 * @param request what this rank has of it
 */
internal suspend fun Communicator.placeNear(
    concentrators: List<Int>,
    hosts: List<String>,
    depth: Long,
    length: Long,
    request: Request,
): PageTable {
    val ofAll = gather(ROOT, bytesOf(*shares(depth, request)))
    val places =
        decide("place stripes near their ranks", BYTES) {
            val demands = ofAll.flatMapIndexed { rank, shares -> demandsOf(rank, longsOf(shares)) }
            val unclaimed = (0 until (length + depth - 1) / depth).map { PagePlacement.Demand(it, size, 1) }
            val closeness = closenessTo(concentrators, hosts)
            val table =
                PagePlacement.by(closeness).place(
                    PageTable.empty(depth, concentrators.size),
                    demands + unclaimed,
                )
            bytesOf(*placesOf(table))
        }
    return PageTable.of(depth, concentrators.size, runsOf(longsOf(places)))
}

/** The stripes of which [request] has something, each followed by how many bytes. */
private fun shares(depth: Long, request: Request): LongArray {
    val shares = mutableListOf<Long>()
    var next = request.nextByte(0)
    while (next != NONE) {
        val stripe = next / depth
        var bytes = 0L
        request.forEachExtent(stripe * depth, (stripe + 1) * depth) { _, length -> bytes += length }
        shares += listOf(stripe, bytes)
        next = request.nextByte((stripe + 1) * depth)
    }
    return shares.toLongArray()
}

private fun demandsOf(rank: Int, shares: LongArray): List<PagePlacement.Demand> =
    List(shares.size / 2) { PagePlacement.Demand(shares[2 * it], rank, shares[2 * it + 1]) }

/** A rank that does not exist is far from all. */
private fun closenessTo(concentrators: List<Int>, hosts: List<String>) =
    PagePlacement.ClosenessRule { rank, subFile ->
        val concentrator = concentrators[subFile]
        when {
            rank == concentrator -> PagePlacement.Closeness.SAME_PROCESS
            hosts.getOrNull(rank) == hosts[concentrator] -> PagePlacement.Closeness.SAME_NODE
            else -> PagePlacement.Closeness.REMOTE
        }
    }

private fun placesOf(table: PageTable): LongArray =
    table.runs().flatMap { listOf(it.page(), it.count(), it.subFile().toLong(), it.slot()) }.toLongArray()

private fun runsOf(places: LongArray): List<PageTable.Run> =
    List(places.size / 4) {
        PageTable.Run(places[4 * it], places[4 * it + 1], places[4 * it + 2].toInt(), places[4 * it + 3])
    }
