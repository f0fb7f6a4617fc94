package dev.cairn.benchmarks.sections

import dev.cairn.Checkpoints
import dev.cairn.benchmarks.baseline.readBareArrays
import dev.cairn.benchmarks.baseline.writeBareArrays
import dev.cairn.benchmarks.report.AtLeast
import dev.cairn.benchmarks.report.Comparison
import dev.cairn.benchmarks.report.Figure
import dev.cairn.benchmarks.report.Quartiles
import dev.cairn.benchmarks.report.Quotient
import dev.cairn.checkpoints
import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.runRanks
import java.nio.file.Path
import kotlin.io.path.deleteExisting

/**
 * A program saves again and again, by default options, and older saves are deleted meanwhile. It has 1, 2, 4, … ranks, at most one for each
 * core, and each rank has as many bytes. In each round it also restores, and as many threads write and read as many bare files.
 */
internal fun benchCores(bench: Bench) {
    val cores = Runtime.getRuntime().availableProcessors()
    val counts = generateSequence(1) { 2 * it }.takeWhile { it < cores }.toList() + cores
    val all = counts.associateWith { CoreRounds(bench, it).run() }
    val alone = all.getValue(1)
    for ((count, rounds) in all) {
        val (saves, restores) = leastShares(count)
        val scaling = if (count > 4) 0.6 else 0.8
        report(bench, "$count ranks save", scaling, rounds.map { it.save }, alone.map { it.save }, saves)
        report(bench, "$count ranks restore", scaling, rounds.map { it.restore }, alone.map { it.restore }, restores)
    }
}

/** The least share of the rate of bare files that saves and restores should have. */
private fun leastShares(rankCount: Int) = if (rankCount > 2) 0.5 to 0.6 else 0.75 to 0.42

/** The rate beside that of bare files, and beside that of one rank times their number: no more is asked than bare files reach. */
private fun report(
    bench: Bench,
    name: String,
    leastScaling: Double,
    times: List<BothTimes>,
    alone: List<BothTimes>,
    least: Double,
) {
    fun scaling(seconds: (BothTimes) -> Double) =
        Quartiles.of(alone.map(seconds)).median / Quartiles.of(times.map(seconds)).median
    val goal = AtLeast(minOf(scaling(BothTimes::bare), leastScaling))
    bench.report(Comparison.of(name, Quotient.OF_RATES, times, AtLeast(least), BothTimes::ours, BothTimes::bare))
    bench.report(Figure("$name: scaling", Quartiles.of(listOf(scaling(BothTimes::ours))), "of one rank's rate", goal))
}

/** Our time for a job and that of bare files, in seconds. */
private class BothTimes(val ours: Double, val bare: Double)

private class CoreRound(val save: BothTimes, val restore: BothTimes)

/** The rounds of a program with [rankCount] ranks. */
private class CoreRounds(private val bench: Bench, private val rankCount: Int) {
    private val store: Path = bench.directory.resolve("cores.cairn")
    private val files = List(rankCount) { bench.directory.resolve("bare.$it") }
    private val field = SavedField(rankCount * (bench.scale.streamBytes / 4), rankCount)
    private val spare = field.arrays.map { DoubleArray(it.size) }

    fun run(): List<CoreRound> {
        field.begin()
        val rounds = runRanks(rankCount) { open().use { rounds(SavingRank(this, it, field.arrays[rank])) } }
        store.deleteAll()
        return rounds.first()
    }

    private suspend fun Communicator.open(): Checkpoints =
        checkpoints(store, CheckpointOptions { durability = bench.durability }) { field.declare(this, rank) }

    private suspend fun Communicator.rounds(program: SavingRank): List<CoreRound> =
        rounds(bench.warmUpPairs, bench.pairCount) { number ->
            program.steps(1)
            val (ours, bare) =
                inTurn(number, { program.save() to program.restore() }, { writeBare() to readBare() })
            CoreRound(BothTimes(ours.first, bare.first), BothTimes(ours.second, bare.second))
        }.also { program.checkRestored() }

    private suspend fun Communicator.writeBare() = onRoot { writeBareArrays(files, field.arrays, bench.isOnDisk) }

    private suspend fun Communicator.readBare() =
        onRoot { readBareArrays(files, spare) }.also { if (rank == 0) files.forEach { it.deleteExisting() } }

    /** While the other ranks wait. */
    private suspend fun Communicator.onRoot(job: () -> Unit) = timed(this) { if (rank == 0) job() }
}
