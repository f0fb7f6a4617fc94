package dev.cairn.report

import dev.cairn.command.svg.SvgWriter

/** A value for each of some saves, or at each of some moments, in the colour of its [style]. */
internal class Series(val style: String, val name: String, val points: List<Pair<Double, Double>>)

/** Draws [series] over an axis of [across]; the other one begins at 0. Points are joined by a line if [isJoined]. */
internal class Chart(
    private val across: Measure,
    private val upwards: Measure,
    private val acrossName: String,
    private val series: List<Series>,
    private val isJoined: Boolean,
) {
    private val svg = SvgWriter("")

    /** Null if there is no point. */
    fun draw(): String? {
        val points = series.flatMap { it.points }.ifEmpty { return null }
        val x = Axis(across, points.minOf { it.first }, points.maxOf { it.first }, LEFT, RIGHT)
        val highest = points.maxOf { it.second }.takeIf { it > 0 } ?: 1.0
        val y = Axis(upwards, 0.0, highest, BOTTOM, TOP)
        drawAxes(x, y)
        series.forEachIndexed { place, one -> draw(one, radiusOf(place), x, y) }
        return svg.element(WIDTH, HEIGHT)
    }

    /** Dots of several series at one place stay visible, since those on top are smaller. Lines show theirs apart. */
    private fun radiusOf(place: Int) = RADIUS + if (isJoined) 0.0 else RING * (series.lastIndex - place)

    private fun drawAxes(x: Axis, y: Axis) {
        for (value in y.ticks(MOST_ROWS)) {
            svg.line("grid", LEFT, y.place(value), RIGHT, y.place(value))
            svg.text("end", LEFT - GAP, y.place(value) + DROP, y.text(value))
        }
        for (value in x.ticks(MOST_COLUMNS)) {
            svg.line("frame", x.place(value), BOTTOM, x.place(value), BOTTOM + TICK)
            svg.text("middle", x.place(value), BOTTOM + LABEL_DROP, x.text(value))
        }
        svg.line("frame", LEFT, BOTTOM, RIGHT, BOTTOM)
        svg.text("middle", (LEFT + RIGHT) / 2, HEIGHT - GAP, acrossName)
    }

    private fun draw(one: Series, radius: Double, x: Axis, y: Axis) {
        val xs = one.points.map { x.place(it.first) }
        val ys = one.points.map { y.place(it.second) }
        if (isJoined) svg.polyline("${one.style} joined", xs.toDoubleArray(), ys.toDoubleArray())
        one.points.forEachIndexed { place, (first, second) ->
            val title = "${one.name}: ${upwards.text(second)} ($acrossName ${across.text(first)})"
            svg.dot(one.style, xs[place], ys[place], radius, title)
        }
    }
}

private const val WIDTH = 400.0
private const val HEIGHT = 210.0
private const val LEFT = 72.0
private const val RIGHT = 384.0
private const val TOP = 12.0
private const val BOTTOM = 166.0
private const val GAP = 6.0
private const val DROP = 4.0
private const val TICK = 4.0
private const val LABEL_DROP = 18.0
private const val RADIUS = 2.5
private const val RING = 1.5
private const val MOST_ROWS = 4
private const val MOST_COLUMNS = 4
