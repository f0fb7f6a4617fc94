package dev.cairn.proof.behind

import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.RunEvent
import kotlin.time.Duration.Companion.seconds

/**
 * The rank [number] of two waits for the other one, which waits for the file of the [gate]. The gate opens when the waiting rank makes the
 * same call twice meanwhile: so it has learned that it has to wait longer. If it does not, its wait ends with the limit of a call.
 *
 * @param hosts the host of each rank
 */
internal class WaitingRank(
    private val gate: HeldFile,
    private val number: Int = 1,
    hosts: (Int) -> String = { "node0" },
) {
    @Volatile private var isWaiting = false
    private var call = ""

    val plan = RankPlan(2, limit = 20.seconds, hosts = hosts, observer = ::observe)

    /** Makes the [call] that waits. */
    suspend fun <T> during(rank: Int, call: suspend () -> T): T {
        if (rank == number) isWaiting = true
        try {
            return call()
        } finally {
            // Also after a failure, since the other rank cannot close before.
            if (rank == number) gate.open()
        }
    }

    private fun observe(event: RunEvent) {
        if (event.rank != number || !isWaiting || !gate.isVisited) return
        val next = event.what.substringBefore(' ')
        if (next == call) gate.open()
        call = next
    }
}
