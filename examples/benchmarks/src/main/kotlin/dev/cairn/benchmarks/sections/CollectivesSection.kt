package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.report.AtMost
import dev.cairn.benchmarks.report.Comparison
import dev.cairn.benchmarks.report.Quotient
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.broadcastLong
import dev.cairn.ranks.exScan
import dev.cairn.ranks.gatherLong
import dev.cairn.ranks.runRanks

private const val MOST_GROWTH = 2.0

/** How often each of the many ranks calls in a round. */
private const val CALLS_OF_MANY = 4

/** What a collective call costs a rank among very many in-process ranks, against one among few. All but the barrier end with a barrier. */
internal fun benchCollectives(bench: Bench) {
    val (few, many) = bench.scale.collectiveRanks
    for (collective in Collective.entries) {
        val rounds = List(bench.warmUpPairs + bench.pairCount) { collective.round(few, many) }.drop(bench.warmUpPairs)
        val name = "$collective of $many ranks, against as many calls of $few"
        val goal = AtMost(MOST_GROWTH)
        bench.report(Comparison.of(name, Quotient.OF_TIMES, rounds, goal, GrowthRound::many, GrowthRound::few))
    }
}

/** The seconds of as many calls of ranks in both sizes, so that the garbage collector has the same work. */
private class GrowthRound(val few: Double, val many: Double)

private enum class Collective(private val text: String, private val call: suspend Communicator.() -> Unit) {
    BARRIER("barrier", {}),
    GATHER("gather of 8 bytes", { gatherLong(root = 0, rank.toLong()) }),
    BROADCAST("broadcast", { broadcastLong(root = 0, 42) }),
    EX_SCAN("exScan", { exScan(1, neutral = 0, Long::plus) }),
    ALL_REDUCE("allReduce", { allReduce(1L, Long::plus) }),
    ;

    override fun toString(): String = text

    fun round(few: Int, many: Int) =
        GrowthRound(seconds(few, callCount = CALLS_OF_MANY * (many / few)), seconds(many, CALLS_OF_MANY))

    /** A new run of [rankCount] ranks; its first call is not timed. */
    private fun seconds(rankCount: Int, callCount: Int): Double =
        runRanks(rankCount) {
            callAndMeet()
            val begin = System.nanoTime()
            repeat(callCount) { callAndMeet() }
            (System.nanoTime() - begin) / 1e9
        }.first()

    private suspend fun Communicator.callAndMeet() {
        call()
        barrier()
    }
}
