package dev.cairn.report

import dev.cairn.event.hostOf
import kotlin.time.Duration

/** How often a rank or a host was the slowest one of a committed save, and how long it took at most. */
internal class Slowness(
    val name: String,
    val count: Int,
    val longest: Duration,
)

/** The ranks that were slowest, the most frequent first. Ranks of programs with other numbers of ranks are others. */
internal fun slowestRanks(programs: List<ProgramHistory>): List<Slowness> =
    slowest(programs) { program, rank -> "rank $rank of ${program.started?.rankCount ?: "unknown"}" }

/** The hosts on which the slowest ranks were. */
internal fun slowestHosts(programs: List<ProgramHistory>): List<Slowness> =
    slowest(programs) { program, rank -> program.started?.hosts?.hostOf(rank) ?: "unknown" }

private fun slowest(
    programs: List<ProgramHistory>,
    nameOf: (ProgramHistory, Int) -> String,
): List<Slowness> =
    programs
        .flatMap { program -> program.saves.mapNotNull { save -> save.committed?.let { program to it } } }
        .groupBy({ (program, saved) -> nameOf(program, saved.slowestRank) }, { (_, saved) -> saved.slowestTime })
        .map { (name, times) -> Slowness(name, times.size, times.max()) }
        .sortedWith(compareByDescending<Slowness> { it.count }.thenByDescending { it.longest }.thenBy { it.name })
