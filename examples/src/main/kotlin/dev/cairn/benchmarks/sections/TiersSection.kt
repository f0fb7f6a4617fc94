package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.parallel.textOf
import dev.cairn.benchmarks.report.LimitResult
import dev.cairn.benchmarks.report.Quartiles
import dev.cairn.benchmarks.report.TimeRatioResult
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DataFiles
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore

private const val MOST_SAVES = 0.15
private const val MOST_STEPS = 1.1
private const val MOST_COPIED_SAVES = 2.3
private const val MOST_UNTIL_COMMITTED = 1.2

/** The rate that all ranks share on the throttled store, that of the disk of each host, and what each write takes beside it. */
private const val SHARED_BYTES_PER_SECOND = 50_000_000L
private const val LOCAL_BYTES_PER_SECOND = 500_000_000L
private const val NANOS_PER_WRITE = 100_000L

/** Saves that the program does not wait for, in memory and on disks that are much slower than that. */
internal fun benchTiers(bench: Bench) {
    benchInMemory(Tiers(bench, bench.scale.streamBytes))
    benchThrottled(Tiers(bench, bench.scale.throttledBytes))
}

private fun benchInMemory(tiers: Tiers) {
    val (hosts, warmUpCount) = tiers.hosts { FileBlockStore() } to tiers.bench.warmUpPairs
    tiers.compareCosts("save ${tiers.size} in the background", tiers.copying(), hosts, warmUpCount, MOST_SAVES)
    // The local disks are no faster than the shared one.
    tiers.compareCosts(
        "save ${tiers.size} locally",
        tiers.local(hosts, drainRate = null),
        hosts,
        warmUpCount,
        mostSaves = null,
    )
}

private fun benchThrottled(tiers: Tiers) {
    val hosts = tiers.hosts(::throttled)
    val shared = "${SHARED_BYTES_PER_SECOND / 1_000_000} MB/s"
    val local = "${LOCAL_BYTES_PER_SECOND / 1_000_000} MB/s"
    tiers.compareThrottled("save ${tiers.size} in the background at $shared", tiers.copying(), hosts)
    tiers.compareThrottled("save ${tiers.size} through a dedicated rank at $shared", tiers.sending(), hosts)
    val drainRate = SHARED_BYTES_PER_SECOND / hosts.disks.size
    val locally = "save ${tiers.size} locally at $local"
    tiers.compareThrottled("$locally, drained at $shared", tiers.local(hosts, drainRate), hosts)
    tiers.compareCopies(locally, hosts)
}

/** Each disk of a host has a link of its own. */
private fun throttled(hosts: SimulatedHosts): BlockStore {
    val shared = Link(SHARED_BYTES_PER_SECOND, NANOS_PER_WRITE)
    val ofDisks = hosts.disks.associateWith { Link(LOCAL_BYTES_PER_SECOND, NANOS_PER_WRITE) }
    return ThrottledStore { path -> ofDisks.entries.find { (disk, _) -> path.startsWith(disk) }?.value ?: shared }
}

/** Saves of one field, and their costs. */
private class Tiers(val bench: Bench, private val byteCount: Long) {
    val size = textOf(byteCount)
    private val field = SavedField(byteCount)

    fun hosts(filesOf: (SimulatedHosts) -> BlockStore) = SimulatedHosts(bench.directory, field.rankCount, filesOf)

    fun copying(): Tier = CopyTier(field.arrays)

    fun sending(): Tier = DedicatedTier(field.arrays)

    fun local(hosts: SimulatedHosts, drainRate: Long?): Tier =
        LocalTier(field.arrays, hosts, bench.scale.largePiece, drainRate)

    private val options =
        CheckpointOptions {
            files = DataFiles.count(field.rankCount)
            blockSize = Scale.BLOCK_SIZE
            durability = if (bench.isOnDisk) ForcePolicy.ON_CLOSE else ForcePolicy.NEVER
            keepOnlyNewest()
        }

    fun compareThrottled(job: String, tier: Tier, hosts: SimulatedHosts) {
        val rounds = compareCosts(job, tier, hosts, Duel.WARM_UP_PAIRS, MOST_SAVES)
        bench.report(
            timeRatio("$job: a step, against one without", rounds, { it.stepMeanwhile }, { it.step }, MOST_STEPS),
        )
        val shortest = byteCount.toDouble() / SHARED_BYTES_PER_SECOND
        val untilCommitted = Quartiles.of(rounds.map { it.committed / shortest })
        bench.report(
            LimitResult("$job: until committed, against bytes / rate", untilCommitted, "times", MOST_UNTIL_COMMITTED),
        )
    }

    fun compareCopies(job: String, hosts: SimulatedHosts) {
        val rounds = CopyRounds(hosts, field, options).run(Duel.WARM_UP_PAIRS, bench.pairCount)
        val name = "$job: with a copy on another host, against without"
        bench.report(timeRatio(name, rounds, { it.withCopy }, { it.without }, MOST_COPIED_SAVES))
    }

    fun compareCosts(
        job: String,
        tier: Tier,
        hosts: SimulatedHosts,
        warmUpCount: Int,
        mostSaves: Double?,
    ): List<SaveRound> {
        val rounds =
            SaveRounds(hosts, field, tier, options).run(warmUpCount, bench.pairCount)
        val (bare, most) = tier.bareName to tier.mostBareJobs
        bench.report(timeRatio("$job: saveAsync, against $bare", rounds, { it.inSaveAsync }, { it.bare }, most))
        bench.report(timeRatio("$job: in Cairn, against $bare", rounds, { it.inCairn }, { it.bare }, most))
        bench.report(timeRatio("$job: in Cairn, against a whole save", rounds, { it.inCairn }, { it.saved }, mostSaves))
        return rounds
    }
}

private fun <R> timeRatio(name: String, rounds: List<R>, ours: (R) -> Double, other: (R) -> Double, atMost: Double?) =
    TimeRatioResult(
        name,
        ratio = Quartiles.of(rounds.map { ours(it) / other(it) }),
        oursSeconds = Quartiles.of(rounds.map(ours)),
        otherSeconds = Quartiles.of(rounds.map(other)),
        atMost,
    )
