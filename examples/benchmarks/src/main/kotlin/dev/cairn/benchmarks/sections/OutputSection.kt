package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.report.AtMost
import dev.cairn.benchmarks.report.Comparison
import dev.cairn.benchmarks.report.Quotient
import dev.cairn.ranks.runRanks
import dev.cairn.sion.store.BlockStore
import java.nio.file.Path

private const val RANK_COUNT = 4
private const val RECORD_COUNT = 8

private const val MOST_WAITED_OF_BARE = 1.3
private const val MOST_WAITED_OF_SINGLE = 0.15
private const val MOST_OF_FLUSH = 1.3
private const val MOST_OF_SMALL_PUTS = 2.0

/** Ranks with a block of columns each append records to a NetCDF file through logs on a disk that is faster than the shared one. */
internal fun benchOutput(bench: Bench) {
    val columns = ColumnBlocks(bench.scale.throttledBytes / RECORD_COUNT, RANK_COUNT, LONG_RUN)
    val stage = bench.directory.resolve("stage")
    val files = throttled(listOf(stage))
    val rounds =
        runRanks(RANK_COUNT) {
            OutputRounds(this, columns, RECORD_COUNT, bench.directory, stage, files)
                .run(Duel.WARM_UP_PAIRS, bench.pairCount)
        }.first()

    fun compare(what: String, most: Double, ours: (OutputRound) -> Double, other: (OutputRound) -> Double) {
        val name = "$RANK_COUNT ranks append $RECORD_COUNT records of ${sizeOf(columns)}: $what"
        bench.report(Comparison.of(name, Quotient.OF_TIMES, rounds, AtMost(most), ours, other))
    }
    compare("what they wait, against bare files there", MOST_WAITED_OF_BARE, OutputRound::waited, OutputRound::bare)
    compare("what they wait, against one writer", MOST_WAITED_OF_SINGLE, OutputRound::waited, OutputRound::single)
    compare("the flush, against one writer", MOST_OF_FLUSH, OutputRound::flush, OutputRound::single)
    comparePuts(bench, stage, files)
}

private fun comparePuts(bench: Bench, stage: Path, files: BlockStore) {
    val rounds =
        runRanks(1) { PutRounds(this, bench.directory, stage, files).run(bench.warmUpPairs, bench.pairCount) }.first()
    val name = "put the same bytes into a log, 1 KiB at once, against 1 MiB"
    val goal = AtMost(MOST_OF_SMALL_PUTS)
    bench.report(Comparison.of(name, Quotient.OF_TIMES, rounds, goal, PutRound::small, PutRound::large))
}
