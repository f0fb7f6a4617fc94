package dev.cairn.report

import dev.cairn.event.hostOf
import dev.cairn.event.secondsText
import kotlin.time.Duration

/** The part of a report about the slowest ranks. */
internal class SlowestPart(private val programs: List<ProgramHistory>) {
    fun writeTo(html: HtmlWriter) {
        html.text("h2", "Slowest ranks and hosts")
        val ranks = slowestRanks(programs)
        if (ranks.isEmpty()) return html.text("p", "No committed save is known.")
        html.text("p", MEANING)
        html.block("div", "pictures") {
            write("Ranks", "rank", ranks)
            write("Hosts", "host", slowestHosts(programs))
        }
    }

    private fun HtmlWriter.write(title: String, name: String, all: List<Slowness>) =
        block("div") {
            figure(title, drawBars(all.take(MOST_BARS).map { it.name to it.count }))
            val rows = all.map { listOf(it.name, "${it.count}", secondsText(it.longest)) }
            table(Table(listOf(name, "slowest in", "longest"), rows))
        }
}

private const val MOST_BARS = 8
private const val MEANING =
    "Of each committed save, the rank that took longest to write its data, without forcing them to the disk."

/** How often a rank or a host was the slowest one of a committed save, and how long it took at most. */
internal class Slowness(val name: String, val count: Int, val longest: Duration)

/** The ranks that were slowest, the most frequent first. Ranks of programs with other numbers of ranks are others. */
internal fun slowestRanks(programs: List<ProgramHistory>): List<Slowness> =
    slowest(programs) { program, rank -> "rank $rank of ${program.started?.rankCount ?: "unknown"}" }

/** The hosts on which the slowest ranks were. */
internal fun slowestHosts(programs: List<ProgramHistory>): List<Slowness> =
    slowest(programs) { program, rank -> program.started?.hosts?.hostOf(rank) ?: "unknown" }

private fun slowest(programs: List<ProgramHistory>, nameOf: (ProgramHistory, Int) -> String): List<Slowness> =
    programs
        .flatMap { program -> program.saves.mapNotNull { save -> save.committed?.let { program to it } } }
        .groupBy({ (program, saved) -> nameOf(program, saved.slowestRank) }, { (_, saved) -> saved.slowestTime })
        .map { (name, times) -> Slowness(name, times.size, times.max()) }
        .sortedWith(compareByDescending<Slowness> { it.count }.thenByDescending { it.longest }.thenBy { it.name })
