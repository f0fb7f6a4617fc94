package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.report.AtMost
import dev.cairn.benchmarks.report.Comparison
import dev.cairn.benchmarks.report.Goal
import dev.cairn.benchmarks.report.Quotient
import dev.cairn.benchmarks.report.textOf
import dev.cairn.ranks.runRanks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore

internal const val LONG_RUN = 16 shl 10
internal const val SHORT_RUN = 1 shl 10

private const val MOST_WITH_LONG_RUNS = 2.0
private const val MOST_WITH_SHORT_RUNS = 4.0
private const val MOST_THROTTLED = 1.2
private const val MOST_OF_STRIDED_SHORT_RUNS = 0.2

private const val BYTES_PER_SECOND = 200_000_000L

/** Each takes [NANOS_PER_WRITE] or more. */
private const val MOST_THROTTLED_RUNS = 16_384

/**
 * Ranks with a block of columns each write one array through a concentrator, against a single writer, and against each for
 * itself.
 */
internal fun benchConcentrators(bench: Bench) {
    columnBlocks(bench.scale, bench.scale.concentratedBytes).forEach { benchInMemory(bench, it) }
    columnBlocks(bench.scale, bench.scale.throttledBytes).forEach { benchThrottled(bench, it) }
}

/** One after the other: the arrays of all together would need very much memory. */
private fun columnBlocks(scale: Scale, byteCount: Long): Sequence<ColumnBlocks> =
    sequenceOf(LONG_RUN, SHORT_RUN).flatMap { runBytes ->
        scale.concentratedRanks.asSequence().map { ColumnBlocks(byteCount, it, runBytes) }
    }

private fun benchInMemory(bench: Bench, columns: ColumnBlocks) {
    val files = FileBlockStore()
    val rounds = bench.rounds(columns, files, columns.rowCount, bench.warmUpPairs)
    resultsInMemory(columns, rounds).forEach(bench.report)
}

private fun benchThrottled(bench: Bench, columns: ColumnBlocks) {
    val stridedRows = maxOf(1, minOf(columns.rowCount, MOST_THROTTLED_RUNS / columns.rankCount))
    val rounds = bench.rounds(columns, throttled(), stridedRows, Duel.WARM_UP_PAIRS)
    val ofStrided = AtMost(MOST_OF_STRIDED_SHORT_RUNS).takeIf { columns.runBytes == SHORT_RUN }
    val name = "${nameOf(columns)} at ${BYTES_PER_SECOND / 1_000_000} MB/s"
    results(name, rounds, AtMost(MOST_THROTTLED), ofStrided).forEach(bench.report)
}

private fun Bench.rounds(
    columns: ColumnBlocks,
    files: BlockStore,
    stridedRows: Int,
    warmUpCount: Int,
): List<ColumnRound> =
    runRanks(columns.rankCount) {
        ColumnRounds(this, columns, directory, files, stridedRows).run(warmUpCount, pairCount)
    }.first()

/** A store whose writers share its rate. */
private fun throttled(): BlockStore = Link(BYTES_PER_SECOND, NANOS_PER_WRITE).let { link -> ThrottledStore { link } }

private fun nameOf(columns: ColumnBlocks) = "${columns.rankCount} ranks write ${sizeOf(columns)}"

internal fun sizeOf(columns: ColumnBlocks) =
    "${textOf(columns.byteCount)} in runs of ${textOf(columns.runBytes.toLong())}"

/** The rounds of [columns] in memory. */
internal fun resultsInMemory(columns: ColumnBlocks, rounds: List<ColumnRound>): List<Comparison> {
    val most = if (columns.runBytes == LONG_RUN) MOST_WITH_LONG_RUNS else MOST_WITH_SHORT_RUNS
    return results(nameOf(columns), rounds, AtMost(most), ofStrided = null)
}

private fun results(name: String, rounds: List<ColumnRound>, ofSingle: Goal, ofStrided: Goal?): List<Comparison> {
    fun against(job: String, goal: Goal?, other: (ColumnRound) -> Double) =
        Comparison.of("$name, against $job", Quotient.OF_TIMES, rounds, goal, ColumnRound::concentrated, other)
    return listOf(
        against("one writer", ofSingle, ColumnRound::single),
        against("each for itself", ofStrided, ColumnRound::strided),
    )
}
