package dev.cairn.report

import dev.cairn.event.counted

/**
 * The part of a report about programs: the times of their runs and saves, their steps, and the checkpoints from which they restarted.
 *
 * @param running the program that is running, if any
 * @param setBacks sentences about clocks that were set back
 */
internal class TimelinePart(
    private val programs: List<ProgramHistory>,
    private val running: ProgramHistory?,
    private val setBacks: List<String>,
) {
    fun writeTo(html: HtmlWriter) {
        html.text("h2", "Timeline")
        val timeline = Timeline(programs, running)
        val picture = timeline.draw() ?: return html.text("p", "No program is known.")
        val steps = Chart(Measure.SECONDS, Measure.COUNT, "time, without breaks", progress(), isJoined = true).draw()
        html.legend(PageStyle.LEGEND)
        html.block("div", "pictures") {
            figure("Programs and their saves", picture)
            if (steps != null) figure("Steps", steps)
        }
        setBacks.forEach { html.text("p", it, "note") }
        val omitted = timeline.omittedCount
        if (omitted > 0) html.text("p", "Not drawn, but in the table: ${counted(omitted, "older program")}.", "note")
        html.table(Table(HEAD, programs.map(::rowOf)))
    }

    /** Steps over the time in which programs ran, a line for each of them: after a restart, work is done again. */
    private fun progress(): List<Series> {
        var before = 0.0
        return programs.map { program ->
            val start = before
            before += program.seconds
            val points = program.progress.map { start + it.moment.seconds to it.step.toDouble() }
            Series("first", "step", points)
        }
    }

    private fun rowOf(program: ProgramHistory): List<String> {
        val started = program.started
        val restored = program.restored
        return listOf(
            "${program.number}",
            timeText(program.begin.clock),
            if (program.ended == null) "" else timeText(program.last.clock),
            stateOf(program),
            remarksOn(program).joinToString("; "),
            known(started?.rankCount),
            known(started?.hostCount),
            known(started?.let { "process ${it.pid} on ${it.host}" }),
            known(started?.version?.ifEmpty { null }),
            restored?.let { "save ${it.number}, step ${it.step} of ${counted(it.rankCount, "rank")}" }.orEmpty(),
        )
    }

    private fun known(value: Any?) = value?.toString() ?: "unknown"

    private fun stateOf(program: ProgramHistory): String {
        val state = program.state(isRunning = program === running)
        return if (state == "unknown") "no end known, last heard of at ${timeText(program.last.clock)}" else state
    }

    private fun remarksOn(program: ProgramHistory): List<String> =
        program.passedOver.map { "passed over save ${it.number}: ${it.reason}" } +
            listOfNotNull(program.takenOver?.explanation)
}

private val HEAD =
    listOf("program", "started", "ended", "how", "remarks", "ranks", "hosts", "rank 0", "version", "restored")
