package dev.cairn.benchmarks.sections

import dev.cairn.Simulation
import dev.cairn.benchmarks.report.AtMost
import dev.cairn.benchmarks.report.Figure
import dev.cairn.benchmarks.report.Quartiles
import dev.cairn.runSimulation
import kotlinx.coroutines.runBlocking
import java.util.concurrent.atomic.AtomicLong

private const val AT_LEAST = 0.95

/** The JIT compiler optimizes loops with Long counters less than those with Ints, also over a plain array. */
private const val AT_LEAST_BY_LONGS = 0.7
private const val AT_MOST_NANOS_PER_STEP = 1000.0

/** The cost of declared state in a loop, against plain fields and arrays, and the cost of an empty step. */
internal fun benchLoop(bench: Bench) {
    simulate(bench, rankCount = 1) { LoopContest(bench, this).compareAll() }
    for (rankCount in listOf(1, 8)) bench.report(idleSteps(bench, rankCount))
}

/** The same loops twice: over declared state, and over the fields of a class. */
private class LoopContest(private val bench: Bench, simulation: Simulation) {
    private val size = bench.scale.loopSide
    private val rounds = bench.scale.loopRounds

    private var time by simulation.replicated(0.0)
    private var count by simulation.replicated(0L)
    private val cells by simulation.doubles(size.toLong(), size.toLong()) { i, j -> (i - j).toDouble() }

    private var plainTime = 0.0
    private var plainCount = 0L
    private val plainCells = DoubleArray(size * size) { (it / size - it % size).toDouble() }

    fun compareAll() {
        bench.compare("declared scalars, against fields", AT_LEAST, Side(::scalars) { check() }, Side(::plainScalars))
        bench.compare("a declared array's data, against an array", AT_LEAST, Side(::data), Side(::plainArray))
        bench.compare("a declared array by indices, against an array", AT_LEAST, Side(::indices), Side(::plainIndices))
        bench.compare("the same by Long indices", AT_LEAST_BY_LONGS, Side(::longIndices), Side(::plainIndices))
    }

    private fun check() = check(time.isFinite() && plainTime.isFinite())

    private fun scalars() {
        for (round in 0 until rounds * size * size) {
            time += 0.5
            count += round xor 5
        }
    }

    private fun plainScalars() {
        for (round in 0 until rounds * size * size) {
            plainTime += 0.5
            plainCount += round xor 5
        }
    }

    private fun data() = repeat(rounds) { halve(cells.data) }

    private fun plainArray() = repeat(rounds) { halve(plainCells) }

    private fun halve(array: DoubleArray) {
        for (index in array.indices) array[index] = 0.5 * array[index] + 1.0
    }

    private fun indices() =
        repeat(rounds) {
            for (i in 0 until size) for (j in 0 until size) cells[i, j] = 0.5 * cells[i, j] + 1.0
        }

    private fun longIndices() =
        repeat(rounds) {
            for (i in 0L until size) for (j in 0L until size) cells[i, j] = 0.5 * cells[i, j] + 1.0
        }

    private fun plainIndices() =
        repeat(rounds) {
            for (i in 0 until size) {
                for (j in 0 until size) plainCells[i * size + j] = 0.5 * plainCells[i * size + j] + 1.0
            }
        }
}

/** The processor time of one step of one rank. */
private fun idleSteps(bench: Bench, rankCount: Int): Figure {
    val processors = minOf(rankCount, Runtime.getRuntime().availableProcessors())
    val nanos = List(Duel.WARM_UP_PAIRS + bench.pairCount) { nanosOfSteps(bench, rankCount) }.drop(Duel.WARM_UP_PAIRS)
    val perStep = nanos.map { it.toDouble() * processors / rankCount / bench.scale.stepCount }
    return Figure("an idle step, $rankCount ranks", Quartiles.of(perStep), "ns", AtMost(AT_MOST_NANOS_PER_STEP))
}

private fun nanosOfSteps(bench: Bench, rankCount: Int): Long {
    val longest = AtomicLong()
    simulate(bench, rankCount) {
        var begin = 0L
        for (step in steps(until = bench.scale.stepCount)) {
            if (step == 0L) begin = System.nanoTime()
            if (step == bench.scale.stepCount - 1) longest.accumulateAndGet(System.nanoTime() - begin, ::maxOf)
        }
    }
    return longest.get()
}

private fun simulate(bench: Bench, rankCount: Int, body: suspend Simulation.() -> Unit) {
    val directory = bench.directory.resolve("loop.cairn")
    runBlocking { runSimulation("loop", arrayOf("--ranks", "$rankCount", "--dir", "$directory"), body = body) }
    directory.deleteAll()
}
