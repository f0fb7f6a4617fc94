package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.main
import dev.cairn.benchmarks.report.Quartiles
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.broadcastLong
import dev.cairn.ranks.exScan
import dev.cairn.ranks.gatherLong
import dev.cairn.ranks.runRanks

private const val FEW = 4_096
private const val MANY = 262_144

/** The calls of all ranks in a round, the same for both sizes, so that the garbage collector has the same work. */
private const val RANK_CALLS = 4 * MANY

/** Prints the cost of a collective of very many in-process ranks, and the cost per rank compared with few ranks. */
public fun main(args: Array<String>) {
    val roundCount = args.firstOrNull()?.toInt() ?: 7
    repeat(2) { Collective.entries.forEach { it.nanosPerRank(FEW) } }
    Collective.entries.forEach { it.nanosPerRank(MANY) }
    println("$roundCount rounds, the two sizes in turn; median [quartiles]; all but the barrier end with a barrier")
    println("%-20s %10s %22s %26s %24s".format("", "seconds at", "", "", ""))
    println(
        "%-20s %10s %26s %26s %22s".format("", "$MANY", "ns per rank at $FEW", "ns per rank at $MANY", "ratio"),
    )
    for (collective in Collective.entries) println(collective.compare(roundCount))
}

private enum class Collective(val text: String, val call: suspend Communicator.() -> Unit) {
    BARRIER("barrier", {}),
    GATHER("gather of 8 bytes", { gatherLong(root = 0, rank.toLong()) }),
    BROADCAST("broadcast", { broadcastLong(root = 0, 42) }),
    EX_SCAN("exScan", { exScan(1, neutral = 0, Long::plus) }),
    ALL_REDUCE("allReduce", { allReduce(1L, Long::plus) }),
    ;

    fun compare(roundCount: Int): String {
        val pairs = List(roundCount) { nanosPerRank(FEW) to nanosPerRank(MANY) }
        val few = Quartiles.of(pairs.map { it.first })
        val many = Quartiles.of(pairs.map { it.second })
        val ratio = Quartiles.of(pairs.map { it.second / it.first })
        return "%-20s %10.3f %26s %26s %22s".format(text, many.median * MANY / 1e9, show(few), show(many), show(ratio))
    }

    /** A new run of [count] ranks; its first call is not timed. */
    fun nanosPerRank(count: Int): Double {
        val callCount = RANK_CALLS / count
        val nanos =
            runRanks(count) {
                callAndMeet()
                val begin = System.nanoTime()
                repeat(callCount) { callAndMeet() }
                System.nanoTime() - begin
            }
        return nanos.first().toDouble() / callCount / count
    }

    private suspend fun Communicator.callAndMeet() {
        call()
        barrier()
    }

    private fun show(figure: Quartiles) = "%.2f [%.2f %.2f]".format(figure.median, figure.lower, figure.upper)
}
