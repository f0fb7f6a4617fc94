package dev.cairn.report

import dev.cairn.event.counted

/** The report of a store as one page of HTML. The same [facts] make the same page. */
internal class ReportPage(private val facts: StoreFacts) {
    private val history = facts.history
    private val programs = ProgramHistory.of(history.lines)
    private val saves = programs.flatMap { it.saves }
    private val running = (facts.use as? StoreUse.ByProcess)?.let { use -> programs.lastOrNull()?.takeIf(use::isBy) }
    private val html = HtmlWriter()

    /** @param refreshSeconds after how many seconds a browser loads the page again; null for a page that stays as it is */
    fun html(refreshSeconds: Int? = null): String {
        drawHead()
        TimelinePart(programs, running, setBacksIn(history.lines)).writeTo(html)
        SavesPart(programs).writeTo(html)
        SlowestPart(programs).writeTo(html)
        html.text("h2", "Restart")
        html.text("p", facts.restart)
        if (facts.items.rows.isNotEmpty()) html.table(facts.items)
        section("Checkpoints", facts.saves, "There is no save in the store.")
        val settings = facts.settings.map { listOf(it.name, it.value, it.origin) }
        section("Settings of the newest good checkpoint", Table(SETTING_HEAD, settings), "No checkpoint records them.")
        return html.page("${facts.store}: report", PageStyle.CSS, refreshSeconds)
    }

    private fun drawHead() {
        val newest = saves.mapNotNull { it.committed }.lastOrNull()
        val progress = programs.lastOrNull()?.progress
        val step = progress?.lastOrNull()?.step
        html.text("h1", facts.store)
        html.text("p", "As of ${timeText(facts.made)}. All times are UTC.", "head")
        html.block("div", "facts") {
            fact("Program", presentProgram())
            fact("Last step in the events", step?.toString() ?: "unknown")
            fact(
                "Last commit in the events",
                newest?.let { "save ${it.number}, step ${it.step}" } ?: unlessEvents("none"),
            )
            fact("Saves in the events", unlessEvents(countsOfSaves()))
            fact("Restart", facts.restart)
        }
        html.text("p", sourceOfEvents(), "note")
        facts.unknown.forEach { html.text("p", "Unknown: $it", "note") }
    }

    private fun HtmlWriter.fact(name: String, value: String) =
        block("div", "fact") {
            text("span", name)
            text("strong", value)
        }

    private fun unlessEvents(text: String) = if (history.lines.isEmpty()) "unknown" else text

    private fun presentProgram(): String =
        when (facts.use) {
            is StoreUse.ByProcess -> "running: ${facts.use}"
            StoreUse.Unknown -> "unknown; the last one in the events: ${lastEnd(otherwise = "no end known")}"
            StoreUse.None -> lastEnd(otherwise = "not running; no end known")
        }

    private fun lastEnd(otherwise: String): String {
        val program = programs.lastOrNull() ?: return "unknown: there are no events"
        val last = timeText(program.last.clock)
        return program.ended?.let { "${it.how.name.lowercase()} at $last" } ?: "$otherwise, last heard of at $last"
    }

    private fun countsOfSaves(): String {
        val counts = saves.groupingBy { it.state }.eachCount()
        return SaveHistory.STATES
            .filter { it in counts || it == "committed" }
            .joinToString { "${counts[it] ?: 0} ${if (it == "unknown") "without a known end" else it}" }
    }

    private fun sourceOfEvents(): String {
        val unreadable = history.unreadableCount
        val skipped = if (unreadable == 0) "" else " Skipped: ${counted(unreadable, "line")} without a whole event."
        val first = history.lines.firstOrNull() ?: return NO_EVENTS + skipped
        val lost = if (history.isComplete) "" else " Older events may be lost, since their files are bounded in size."
        val period = "from ${timeText(first.time)} to ${timeText(history.lines.last().time)}"
        return "${counted(history.lines.size, "event")} $period.$lost$skipped"
    }

    private fun section(title: String, table: Table, ifEmpty: String) {
        html.text("h2", title)
        if (table.rows.isEmpty()) html.text("p", ifEmpty) else html.table(table)
    }
}

private const val NO_EVENTS = "The store holds no events that can be read, so the report shows only its saves."
private val SETTING_HEAD = listOf("setting", "value", "from")
