package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.parallel.textOf
import dev.cairn.benchmarks.report.LimitResult
import dev.cairn.benchmarks.report.Quartiles
import dev.cairn.benchmarks.report.TimeRatioResult
import dev.cairn.sion.store.FileBlockStore

private const val MOST_COPIES = 1.2
private const val MOST_SAVES = 0.15
private const val MOST_STEPS = 1.1
private const val MOST_UNTIL_COMMITTED = 1.2

/** The rate that all ranks share on the throttled store, and what each write takes beside it. */
private const val BYTES_PER_SECOND = 50_000_000L
private const val NANOS_PER_WRITE = 100_000L

/** Saves that the program does not wait for, in memory and on a store that is much slower than that. */
internal fun benchTiers(bench: Bench) {
    benchInMemory(bench)
    benchThrottled(bench)
}

private fun benchInMemory(bench: Bench) {
    val byteCount = bench.scale.streamBytes
    val rounds = SaveRounds(bench.directory.resolve("tiers.cairn"), FileBlockStore(), byteCount, bench.isOnDisk)
    compareCosts(bench, "save ${textOf(byteCount)} behind the program", rounds.run(bench.warmUpPairs, bench.pairCount))
}

private fun benchThrottled(bench: Bench) {
    val byteCount = bench.scale.throttledBytes
    val store = ThrottledStore(BYTES_PER_SECOND, NANOS_PER_WRITE)
    val rounds =
        SaveRounds(bench.directory.resolve("tiers.cairn"), store, byteCount, bench.isOnDisk)
            .run(Duel.WARM_UP_PAIRS, bench.pairCount)
    val job = "save ${textOf(byteCount)} behind the program at ${BYTES_PER_SECOND / 1_000_000} MB/s"
    compareCosts(bench, job, rounds)
    bench.report(timeRatio("$job: a step, against one without", rounds, { it.stepMeanwhile }, { it.step }, MOST_STEPS))
    val shortest = byteCount.toDouble() / BYTES_PER_SECOND
    val untilCommitted = Quartiles.of(rounds.map { it.committed / shortest })
    bench.report(
        LimitResult("$job: until committed, against bytes / rate", untilCommitted, "times", MOST_UNTIL_COMMITTED),
    )
}

private fun compareCosts(
    bench: Bench,
    job: String,
    rounds: List<SaveRound>,
) {
    bench.report(timeRatio("$job: saveAsync, against a copy", rounds, { it.inSaveAsync }, { it.copied }, MOST_COPIES))
    bench.report(timeRatio("$job: in Cairn, against a copy", rounds, { it.inCairn }, { it.copied }, MOST_COPIES))
    bench.report(timeRatio("$job: in Cairn, against a whole save", rounds, { it.inCairn }, { it.saved }, MOST_SAVES))
}

private fun timeRatio(
    name: String,
    rounds: List<SaveRound>,
    ours: (SaveRound) -> Double,
    other: (SaveRound) -> Double,
    atMost: Double,
) = TimeRatioResult(
    name,
    ratio = Quartiles.of(rounds.map { ours(it) / other(it) }),
    oursSeconds = Quartiles.of(rounds.map(ours)),
    otherSeconds = Quartiles.of(rounds.map(other)),
    atMost,
)
