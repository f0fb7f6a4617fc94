package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.report.AtMost
import dev.cairn.benchmarks.report.Comparison
import dev.cairn.benchmarks.report.Figure
import dev.cairn.benchmarks.report.Goal
import dev.cairn.benchmarks.report.Quartiles
import dev.cairn.benchmarks.report.Quotient
import dev.cairn.benchmarks.report.textOf
import dev.cairn.options.CheckpointOptions
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore

private const val MOST_SAVES = 0.15
private const val MOST_STEPS = 1.1
private const val MOST_COPIED_SAVES = 2.3
private const val MOST_UNTIL_COMMITTED = 1.2

/** Saves that the program does not wait for, in memory and on disks that are much slower than that. */
internal fun benchTiers(bench: Bench) {
    benchInMemory(Tiers(bench, bench.scale.streamBytes))
    benchThrottled(Tiers(bench, bench.scale.throttledBytes))
}

private fun benchInMemory(tiers: Tiers) {
    val hosts = tiers.hosts { FileBlockStore() }
    val warmUpCount = tiers.bench.warmUpPairs
    tiers.compareCosts("save ${tiers.size} in the background", tiers.copying(), hosts, warmUpCount, AtMost(MOST_SAVES))
    // The local disks are no faster than the shared one.
    tiers.compareCosts("save ${tiers.size} locally", tiers.local(hosts, null), hosts, warmUpCount, ofSaves = null)
}

private fun benchThrottled(tiers: Tiers) {
    val hosts = tiers.hosts { throttled(it.disks) }
    val shared = "${SHARED_BYTES_PER_SECOND / 1_000_000} MB/s"
    val local = "${LOCAL_BYTES_PER_SECOND / 1_000_000} MB/s"
    tiers.compareThrottled("save ${tiers.size} in the background at $shared", tiers.copying(), hosts)
    tiers.compareThrottled("save ${tiers.size} through a dedicated rank at $shared", tiers.sending(), hosts)
    val drainRate = SHARED_BYTES_PER_SECOND / hosts.disks.size
    val locally = "save ${tiers.size} locally at $local"
    tiers.compareThrottled("$locally, drained at $shared", tiers.local(hosts, drainRate), hosts)
    tiers.compareCopies(locally, hosts)
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

    private val options = CheckpointOptions(bench.options(field.rankCount)) { keepOnlyNewest() }

    fun compareThrottled(job: String, tier: Tier, hosts: SimulatedHosts) {
        val rounds = compareCosts(job, tier, hosts, Duel.WARM_UP_PAIRS, AtMost(MOST_SAVES))
        compare("$job: a step, against one without", rounds, AtMost(MOST_STEPS), { it.behind.inStep }, { it.step })
        val shortest = byteCount.toDouble() / SHARED_BYTES_PER_SECOND
        val committed = Quartiles.of(rounds.map { it.behind.committed / shortest })
        val ofCommits = AtMost(MOST_UNTIL_COMMITTED)
        bench.report(Figure("$job: until committed, against bytes / rate", committed, "times", ofCommits))
    }

    fun compareCopies(job: String, hosts: SimulatedHosts) {
        val rounds = CopyRounds(hosts, field, options).run(Duel.WARM_UP_PAIRS, bench.pairCount)
        val name = "$job: with a copy on another host, against without"
        compare(name, rounds, AtMost(MOST_COPIED_SAVES), CopyRound::withCopy, CopyRound::without)
    }

    fun compareCosts(
        job: String,
        tier: Tier,
        hosts: SimulatedHosts,
        warmUpCount: Int,
        ofSaves: Goal?,
    ): List<SaveRound> {
        val rounds = SaveRounds(hosts, field, tier, options).run(warmUpCount, bench.pairCount)
        val bare = tier.bareName
        compare("$job: saveAsync, against $bare", rounds, tier.ofBareJobs, { it.behind.inSaveAsync }, { it.bare })
        compare("$job: in Cairn, against $bare", rounds, tier.ofBareJobs, { it.behind.inCairn }, { it.bare })
        compare("$job: in Cairn, against a whole save", rounds, ofSaves, { it.behind.inCairn }, { it.saved })
        return rounds
    }

    private fun <R> compare(name: String, rounds: List<R>, goal: Goal?, ours: (R) -> Double, other: (R) -> Double) =
        bench.report(Comparison.of(name, Quotient.OF_TIMES, rounds, goal, ours, other))
}
