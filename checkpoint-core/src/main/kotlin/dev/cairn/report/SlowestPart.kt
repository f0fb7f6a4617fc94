package dev.cairn.report

import dev.cairn.base.secondsText

/** The part of a report about the slowest ranks. */
internal class SlowestPart(
    private val programs: List<ProgramHistory>,
) {
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

    private fun HtmlWriter.write(
        title: String,
        name: String,
        all: List<Slowness>,
    ) = block("div") {
        figure(title, drawBars(all.take(MOST_BARS).map { it.name to it.count }))
        val rows = all.map { listOf(it.name, "${it.count}", secondsText(it.longest)) }
        table(Table(listOf(name, "slowest in", "longest"), rows))
    }

    private companion object {
        const val MOST_BARS = 8
        const val MEANING =
            "Of each committed save, the rank that took longest to write its data, without forcing them to the disk."
    }
}
