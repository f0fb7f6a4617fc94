package dev.cairn.report

import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.event.rateText
import dev.cairn.event.secondsText
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit

/** The part of a report about saves: their sizes, rates and times. */
internal class SavesPart(private val programs: List<ProgramHistory>) {
    private val committed = programs.flatMap { program -> program.saves.mapNotNull { it.committed } }

    fun writeTo(html: HtmlWriter) {
        html.text("h2", "Saves: sizes, rates and times")
        val rows = programs.flatMap { program -> program.saves.map { rowOf(program, it) } }
        if (rows.isEmpty()) return html.text("p", "No save is known.")
        html.block("div", "pictures") {
            savePicture("Size", Measure.BYTES, listOf(series("first", "size") { it.byteCount.toDouble() }))
            savePicture("Rate, in a second", Measure.BYTES, listOf(series("first", "rate", ::rateOf)))
            savePicture("Times", Measure.SECONDS, times())
        }
        html.table(Table(HEAD, rows))
    }

    private fun times(): List<Series> =
        listOf(
            series("first", "until it was committed") { it.time.inSeconds },
            series("second", "the program waited") { it.waited.inSeconds },
            series("third", "the slowest rank wrote") { it.slowestTime.inSeconds },
        )

    private fun HtmlWriter.savePicture(title: String, measure: Measure, series: List<Series>) {
        val svg = Chart(Measure.COUNT, measure, "save", series, isJoined = false).draw() ?: return
        figure(title, svg, series.map { it.style to it.name }.takeIf { it.size > 1 }.orEmpty())
    }

    private fun series(style: String, name: String, value: (Saved) -> Double) =
        Series(style, name, committed.map { it.number.toDouble() to value(it) })

    private fun rateOf(saved: Saved) = saved.byteCount / saved.time.inSeconds.coerceAtLeast(SHORTEST)

    private fun rowOf(program: ProgramHistory, save: SaveHistory): List<String> {
        val saved = save.committed
        return listOf(
            text(save.number),
            "${save.step}" + if (save.phase.isEmpty()) "" else " of ${save.phase}",
            "${program.number}",
            save.began?.let { timeText(it.clock) } ?: UNKNOWN,
            sinceBegin(save, save.sealed),
            sinceBegin(save, save.end),
            after(save.sealed, save.end.takeIf { saved != null }),
            save.state,
            save.remark,
            text(saved?.byteCount),
            text(saved?.let { secondsText(it.time) }),
            text(saved?.let { rateText(it.byteCount, it.time) }),
            text(saved?.let { secondsText(it.waited) }),
            text(saved?.let { "rank ${it.slowestRank}, ${secondsText(it.slowestTime)}" }),
        )
    }

    private fun text(value: Any?) = value?.toString().orEmpty()

    private fun sinceBegin(save: SaveHistory, moment: Moment?): String =
        if (save.began == null && moment != null) UNKNOWN else after(save.began, moment)

    /** Empty if there was no such time. */
    private fun after(begin: Moment?, end: Moment?): String {
        if (begin == null || end == null) return ""
        return end.secondsSince(begin)?.let { secondsText(it.seconds) } ?: UNKNOWN
    }

    private val Duration.inSeconds get() = toDouble(DurationUnit.SECONDS)
}

private const val SHORTEST = 1e-9
private const val UNKNOWN = "unknown"
private val HEAD =
    listOf("save", "step", "program", "began", "sealed after", "ended after", "seal to commit") +
        listOf("state", "remarks", "bytes", "time", "rate", "waited", "slowest")
