package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.parallel.textOf
import dev.cairn.benchmarks.report.Quartiles
import dev.cairn.benchmarks.report.Result
import dev.cairn.benchmarks.report.TimeRatioResult
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
private const val NANOS_PER_WRITE = 100_000L

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
    reportRounds(nameOf(columns), rounds, mostInMemory(columns), mostOfStrided = null, bench.report)
}

private fun benchThrottled(bench: Bench, columns: ColumnBlocks) {
    val stridedRows = maxOf(1, minOf(columns.rowCount, MOST_THROTTLED_RUNS / columns.rankCount))
    val rounds = bench.rounds(columns, throttled(), stridedRows, Duel.WARM_UP_PAIRS)
    val mostOfStrided = MOST_OF_STRIDED_SHORT_RUNS.takeIf { columns.runBytes == SHORT_RUN }
    reportRounds("${nameOf(columns)} $AT_RATE", rounds, MOST_THROTTLED, mostOfStrided, bench.report)
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

/** The most time in memory, in times of one writer. */
internal fun mostInMemory(columns: ColumnBlocks): Double =
    if (columns.runBytes == LONG_RUN) MOST_WITH_LONG_RUNS else MOST_WITH_SHORT_RUNS

/** A store whose writers share its rate. */
internal fun throttled(): BlockStore = Link(BYTES_PER_SECOND, NANOS_PER_WRITE).let { link -> ThrottledStore { link } }

internal const val AT_RATE = "at ${BYTES_PER_SECOND / 1_000_000} MB/s"

internal fun nameOf(columns: ColumnBlocks) = "${columns.rankCount} ranks write ${sizeOf(columns)}"

internal fun sizeOf(columns: ColumnBlocks) =
    "${textOf(columns.byteCount)} in runs of ${textOf(columns.runBytes.toLong())}"

internal fun reportRounds(
    name: String,
    rounds: List<ColumnRound>,
    mostOfSingle: Double,
    mostOfStrided: Double?,
    report: (Result) -> Unit,
) {
    report(timeRatio("$name, against one writer", rounds, mostOfSingle) { it.single })
    report(timeRatio("$name, against each for itself", rounds, mostOfStrided) { it.strided })
}

private fun timeRatio(name: String, rounds: List<ColumnRound>, atMost: Double?, other: (ColumnRound) -> Double) =
    TimeRatioResult(
        name,
        ratio = Quartiles.of(rounds.map { it.concentrated / other(it) }),
        oursSeconds = Quartiles.of(rounds.map { it.concentrated }),
        otherSeconds = Quartiles.of(rounds.map(other)),
        atMost,
    )
