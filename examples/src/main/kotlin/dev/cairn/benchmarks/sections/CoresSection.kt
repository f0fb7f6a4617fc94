package dev.cairn.benchmarks.sections

import dev.cairn.Checkpoints
import dev.cairn.benchmarks.baseline.readBareArrays
import dev.cairn.benchmarks.baseline.writeBareArrays
import dev.cairn.benchmarks.report.Quartiles
import dev.cairn.benchmarks.report.ScalingResult
import dev.cairn.checkpoints
import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.runRanks
import dev.cairn.sion.ForcePolicy
import java.nio.file.Path
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.deleteExisting
import kotlin.io.path.deleteRecursively

/**
 * A program saves again and again, by default options, and older saves are deleted meanwhile. It has 1, 2, 4, … ranks, at most one for each
 * core, and each rank has as many bytes. In each round it also restores, and as many threads write and read as many bare files.
 */
internal fun benchCores(bench: Bench) {
    val cores = Runtime.getRuntime().availableProcessors()
    val counts = generateSequence(1) { 2 * it }.takeWhile { it < cores }.toList() + cores
    val all = counts.associateWith { CoreRounds(bench, it).run() }
    val alone = all.getValue(1)
    for ((rankCount, rounds) in all) {
        val (saves, restores) = leastShares(rankCount)
        bench.report(scaling("$rankCount ranks save", rankCount, rounds.map { it.save }, alone.map { it.save }, saves))
        bench.report(
            scaling(
                "$rankCount ranks restore",
                rankCount,
                rounds.map { it.restore },
                alone.map { it.restore },
                restores,
            ),
        )
    }
}

/** The least share of the rate of bare files that saves and restores should have. */
private fun leastShares(rankCount: Int) = if (rankCount > FEW) 0.5 to 0.6 else 0.75 to 0.42

private const val FEW = 2

private fun scaling(name: String, rankCount: Int, times: List<BothTimes>, alone: List<BothTimes>, atLeast: Double) =
    ScalingResult(
        name,
        rankCount,
        ratio = Quartiles.of(times.map { it.bare / it.ours }),
        oursSeconds = Quartiles.of(times.map { it.ours }),
        bareSeconds = Quartiles.of(times.map { it.bare }),
        oursAlone = Quartiles.of(alone.map { it.ours }),
        bareAlone = Quartiles.of(alone.map { it.bare }),
        atLeast,
    )

/** Our time for a job and that of bare files, in seconds. */
private class BothTimes(val ours: Double, val bare: Double)

private class CoreRound(val save: BothTimes, val restore: BothTimes)

/** The rounds of a program with [rankCount] ranks. */
private class CoreRounds(private val bench: Bench, private val rankCount: Int) {
    private val store: Path = bench.directory.resolve("cores.cairn")
    private val files = List(rankCount) { bench.directory.resolve("bare.$it") }
    private val field = SavedField(rankCount * (bench.scale.streamBytes / 4), rankCount)
    private val spare = field.arrays.map { DoubleArray(it.size) }

    @OptIn(ExperimentalPathApi::class)
    fun run(): List<CoreRound> {
        field.begin()
        val rounds = runRanks(rankCount) { open().use { rounds(SavingRank(this, it, field.arrays[rank])) } }
        store.deleteRecursively()
        return rounds.first().drop(bench.warmUpPairs)
    }

    private suspend fun Communicator.open(): Checkpoints {
        val durability = if (bench.isOnDisk) ForcePolicy.ON_CLOSE else ForcePolicy.NEVER
        return checkpoints(store, CheckpointOptions { this.durability = durability }) { field.declare(this, rank) }
    }

    private suspend fun Communicator.rounds(program: SavingRank) =
        List(bench.warmUpPairs + bench.pairCount) { round(program, it) }.also { program.checkRestored() }

    private suspend fun Communicator.round(program: SavingRank, number: Int): CoreRound {
        program.steps(1)
        if (number % 2 == 0) {
            val (save, restore) = program.save() to program.restore()
            return CoreRound(BothTimes(save, writeBare()), BothTimes(restore, readBare()))
        }
        val (write, read) = writeBare() to readBare()
        return CoreRound(BothTimes(program.save(), write), BothTimes(program.restore(), read))
    }

    private suspend fun Communicator.writeBare() =
        onRoot {
            writeBareArrays(files, field.arrays, bench.isOnDisk)
        }

    private suspend fun Communicator.readBare() =
        onRoot { readBareArrays(files, spare) }.also { if (rank == 0) files.forEach { it.deleteExisting() } }

    /** While the other ranks wait. */
    private suspend fun Communicator.onRoot(job: () -> Unit) = timed(this) { if (rank == 0) job() }
}
