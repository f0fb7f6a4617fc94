package dev.cairn.report

import dev.cairn.command.svg.SvgWriter
import kotlin.time.DurationUnit

/**
 * Draws each of the latest [programs] over its own time: its run, its waits for saves, and below, each save from its beginning to its
 * end. A save without a recorded end is drawn to the last event of its program.
 *
 * @param running the program that is running, if any
 */
internal class Timeline(programs: List<ProgramHistory>, private val running: ProgramHistory?) {
    private val count = programs.size
    private val drawn = programs.takeLast(MOST_PROGRAMS)
    private val svg = SvgWriter("")
    private var y = 0.0

    /** The number of programs that are not drawn. */
    val omittedCount: Int get() = count - drawn.size

    /** Null if there is no program. */
    fun draw(): String? {
        if (drawn.isEmpty()) return null
        drawn.forEach(::draw)
        return svg.element(WIDTH, y)
    }

    private fun draw(program: ProgramHistory) {
        val axis = Axis(Measure.SECONDS, 0.0, program.seconds.coerceAtLeast(SHORTEST), LEFT, RIGHT)

        fun place(seconds: Double) = axis.place(seconds).coerceIn(LEFT, RIGHT)

        y += HEADING
        svg.text("heading", LEFT, y, headingOf(program))
        y += GAP
        drawRun(program, ::place)
        y += LANE + GAP
        drawSaves(program.saves, place(program.seconds), ::place)
        drawAxis(axis)
    }

    private fun headingOf(program: ProgramHistory): String {
        val ranks = program.started?.let { if (it.rankCount == 1) ", 1 rank" else ", ${it.rankCount} ranks" } ?: ""
        return "Program ${program.number}$ranks: ${stateOf(program)}"
    }

    private fun stateOf(program: ProgramHistory) =
        program.state(isRunning = program === running).let { if (it == "unknown") "no end known" else it }

    private fun drawRun(program: ProgramHistory, place: (Double) -> Double) {
        val times = "${timeText(program.begin.clock)} to ${timeText(program.last.clock)}"
        val title = "program ${program.number}: $times, ${stateOf(program)}"
        svg.box("run", LEFT, y, (place(program.seconds) - LEFT).coerceAtLeast(LEAST), LANE, title)
        for (save in program.saves) {
            val waited = save.committed?.waited ?: continue
            val begin = save.begin.seconds
            val width = (place(begin + waited.toDouble(DurationUnit.SECONDS)) - place(begin)).coerceAtLeast(LEAST)
            svg.box("waited", place(begin), y, width, LANE, "waited for save ${save.number}: $waited")
        }
    }

    /** Draws overlapping saves below each other, as far as there are lanes. */
    private fun drawSaves(saves: List<SaveHistory>, last: Double, place: (Double) -> Double) {
        val ends = mutableListOf<Double>()
        for (save in saves) {
            val left = place(save.begin.seconds)
            val right = save.end?.let { place(it.seconds) } ?: last
            val free = ends.indexOfFirst { it <= left }
            val lane = if (free >= 0) free else ends.size.coerceAtMost(MOST_LANES - 1)
            if (lane == ends.size) ends += right else ends[lane] = maxOf(ends[lane], right)
            drawSave(save, left, maxOf(right, left + LEAST), y + lane * (LANE + GAP), place)
        }
        y += ends.size.coerceAtLeast(1) * (LANE + GAP)
    }

    private fun drawSave(save: SaveHistory, left: Double, right: Double, top: Double, place: (Double) -> Double) {
        val name = if (save.number == null) "a save" else "save ${save.number}"
        val title = "$name, step ${save.step}: ${save.state}" + if (save.remark.isEmpty()) "" else ", ${save.remark}"
        svg.box(save.state, left, top, right - left, LANE, title)
        save.sealed?.let { svg.line("sealed", place(it.seconds), top - 2, place(it.seconds), top + LANE + 2) }
    }

    private fun drawAxis(axis: Axis) {
        svg.line("frame", LEFT, y, RIGHT, y)
        for (value in axis.ticks(MOST_TICKS)) {
            svg.line("frame", axis.place(value), y, axis.place(value), y + TICK)
            svg.text("middle", axis.place(value), y + LABEL_DROP, axis.text(value))
        }
        y += LABEL_DROP + GAP
    }
}

private const val MOST_PROGRAMS = 12
private const val MOST_LANES = 4
private const val MOST_TICKS = 4
private const val WIDTH = 400.0
private const val LEFT = 16.0
private const val RIGHT = 376.0
private const val HEADING = 22.0
private const val LANE = 12.0
private const val GAP = 6.0
private const val TICK = 4.0
private const val LABEL_DROP = 18.0
private const val LEAST = 1.5
private const val SHORTEST = 0.001
