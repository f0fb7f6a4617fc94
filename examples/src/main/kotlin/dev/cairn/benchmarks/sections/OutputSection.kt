package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.report.Quartiles
import dev.cairn.benchmarks.report.Result
import dev.cairn.benchmarks.report.TimeRatioResult
import dev.cairn.ranks.runRanks
import dev.cairn.sion.store.BlockStore
import java.nio.file.Path

private const val RANK_COUNT = 4

internal const val RECORD_COUNT = 8

private const val SHARED_BYTES_PER_SECOND = 50_000_000L
private const val LOCAL_BYTES_PER_SECOND = 500_000_000L
private const val NANOS_PER_WRITE = 100_000L

private const val MOST_TIME_OF_SMALL_PUTS = 2.0

/** Ranks with a block of columns each append records to a NetCDF file through logs on a disk that is faster than the shared one. */
internal fun benchOutput(bench: Bench) {
    val columns = ColumnBlocks(bench.scale.throttledBytes / RECORD_COUNT, RANK_COUNT, LONG_RUN)
    val stage = bench.directory.resolve("stage")
    val files = throttled(stage)
    val rounds =
        runRanks(RANK_COUNT) {
            OutputRounds(this, columns, RECORD_COUNT, bench.directory, stage, files)
                .run(Duel.WARM_UP_PAIRS, bench.pairCount)
        }.first()
    reportRounds(columns, rounds, OutputGoals(), bench.report)
    val puts =
        runRanks(1) {
            PutRounds(this, bench.directory, stage, files).run(bench.warmUpPairs, bench.pairCount)
        }.first()
    bench.report(
        ratio("put the same bytes into a log, 1 KiB at once, against 1 MiB", puts, {
            it.small
        }, { it.large }, MOST_TIME_OF_SMALL_PUTS),
    )
}

/** The largest ratios to bare files in the stage and to one writer of the file. */
internal class OutputGoals(val waitedOfBare: Double = 1.3, val waitedOfSingle: Double = 0.15, val flush: Double = 1.3)

internal fun reportRounds(
    columns: ColumnBlocks,
    rounds: List<OutputRound>,
    goals: OutputGoals?,
    report: (Result) -> Unit,
) {
    val job = "${columns.rankCount} ranks append $RECORD_COUNT records of ${sizeOf(columns)}"
    val wait = "$job: what they wait"
    report(ratio("$wait, against bare files there", rounds, { it.waited }, { it.bare }, goals?.waitedOfBare))
    report(
        ratio("$wait, against one writer of the file", rounds, { it.waited }, { it.single }, goals?.waitedOfSingle),
    )
    report(ratio("$job: the flush, against one writer", rounds, { it.flush }, { it.single }, goals?.flush))
}

/** The stage has a link of its own. */
private fun throttled(stage: Path): BlockStore {
    val shared = Link(SHARED_BYTES_PER_SECOND, NANOS_PER_WRITE)
    val local = Link(LOCAL_BYTES_PER_SECOND, NANOS_PER_WRITE)
    return ThrottledStore { path -> if (path.startsWith(stage)) local else shared }
}

private fun <R> ratio(name: String, rounds: List<R>, ours: (R) -> Double, other: (R) -> Double, atMost: Double?) =
    TimeRatioResult(
        name,
        ratio = Quartiles.of(rounds.map { ours(it) / other(it) }),
        oursSeconds = Quartiles.of(rounds.map(ours)),
        otherSeconds = Quartiles.of(rounds.map(other)),
        atMost,
    )
