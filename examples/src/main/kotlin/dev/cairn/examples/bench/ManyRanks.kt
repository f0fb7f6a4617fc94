package dev.cairn.examples.bench

import dev.cairn.comm.Communicator
import dev.cairn.comm.allReduce
import dev.cairn.comm.broadcastLong
import dev.cairn.comm.exScan
import dev.cairn.comm.gatherLong
import dev.cairn.comm.runRanks

private const val ROUNDS = 3
private const val FEW = 4_096
private const val MANY = 262_144

/** Prints what a collective of very many in-process ranks costs, and the cost per rank compared with few ranks. */
public fun main() {
    repeat(MANY / FEW) { collectives(FEW) }
    val few = measure(FEW)
    val many = measure(MANY)
    println("%-28s %12s %12s %14s".format("median of $ROUNDS rounds", "$FEW ranks", "$MANY ranks", "cost per rank"))
    for (what in few.keys) {
        val (small, large) = few.getValue(what) to many.getValue(what)
        println("%-28s %9.1f ms %9.1f ms %12.2f x".format(what, small / 1e6, large / 1e6, large / small * FEW / MANY))
    }
}

/** Nanoseconds of each collective, and of a whole run from start to end. */
private fun measure(count: Int): Map<String, Double> {
    val begin = System.nanoTime()
    val medians = collectives(count)
    val whole = (System.nanoTime() - begin).toDouble()
    return medians + ("the whole run" to whole)
}

private fun collectives(count: Int): Map<String, Double> =
    runRanks(count) {
        linkedMapOf(
            "barrier" to median { barrier() },
            "gather of 8 bytes" to median { gatherLong(root = 0, rank.toLong()) },
            "broadcast" to median { broadcastLong(root = 0, 42) },
            "exScan" to median { exScan(1, neutral = 0, Long::plus) },
            "allReduce" to median { allReduce(1L, Long::plus) },
        )
    }.first()

/** Ends with a barrier, so that the slowest rank counts; its cost is part of the figure. */
private suspend fun Communicator.median(call: suspend Communicator.() -> Unit): Double {
    barrier()
    val nanos =
        LongArray(ROUNDS) {
            val begin = System.nanoTime()
            call()
            barrier()
            System.nanoTime() - begin
        }
    return nanos.sorted()[ROUNDS / 2].toDouble()
}
