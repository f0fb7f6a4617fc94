package dev.cairn.benchmarks.plot

import dev.cairn.benchmarks.report.Quartiles
import dev.cairn.command.svg.SvgWriter
import java.math.BigDecimal
import java.util.Locale

/** The results of one contestant, by number of ranks. */
internal class Curve(val name: String, val style: String, val points: Map<Int, Quartiles>)

/** Curves over the number of ranks, both axes logarithmic. The bar at each point goes from quartile to quartile. */
internal class Panel(private val title: String, private val curves: List<Curve>) {
    fun draw(svg: SvgWriter, corner: Spot) {
        val figures = curves.flatMap { it.points.values }
        val rankCounts = curves.flatMap { it.points.keys }.distinct().sorted()
        val rounds = roundNumbers(figures.map { it.lower } + figures.map { it.upper })
        val left = corner.right(MARGIN)
        val bottom = left.down(HEIGHT)
        val right = left.right(WIDTH)
        val across = axis(rankCounts.map(Int::toDouble), left.x + INSET, right.x - INSET)
        val upwards = axis(rounds.map(BigDecimal::toDouble), bottom.y, left.y)
        svg.text("title", left.down(TITLE_RISE), title)
        for (round in rounds) {
            val y = upwards.place(round.toDouble())
            svg.line("grid", left.copy(y = y), right.copy(y = y))
            svg.text("y", Spot(left.x, y).right(-LABEL_GAP).down(TEXT_DROP), label(round))
        }
        for (count in rankCounts) {
            val x = across.place(count.toDouble())
            svg.line("frame", Spot(x, bottom.y), Spot(x, bottom.y).down(TICK))
            svg.text("x", Spot(x, bottom.y).down(X_LABEL_DROP), shortened(count))
        }
        svg.line("frame", bottom, bottom.right(WIDTH))
        svg.text("x", bottom.right(WIDTH / 2).down(X_TITLE_DROP), "ranks")
        curves.forEach { draw(svg, it, across, upwards) }
    }

    private fun draw(svg: SvgWriter, curve: Curve, across: LogAxis, upwards: LogAxis) {
        val medians =
            curve.points.map { (count, figure) ->
                Spot(across.place(count.toDouble()), upwards.place(figure.median))
            }
        val xs = DoubleArray(medians.size) { medians[it].x }
        val ys = DoubleArray(medians.size) { medians[it].y }
        svg.polyline("${curve.style} median", xs, ys)
        curve.points.values.zip(medians) { figure, spot ->
            svg.line(
                curve.style,
                spot.copy(y = upwards.place(figure.lower)),
                spot.copy(y = upwards.place(figure.upper)),
            )
            svg.dot(curve.style, spot)
        }
    }

    private fun axis(values: List<Double>, from: Double, to: Double) = LogAxis(values.first(), values.last(), from, to)

    private fun label(round: BigDecimal) =
        if (round >= BigDecimal.ONE) "%,d".format(Locale.ROOT, round.toBigInteger()) else round.toPlainString()

    /** Short names of powers of two leave room for more labels. */
    private fun shortened(count: Int) = if (count >= KILO && count % KILO == 0) "${count / KILO}k" else "$count"

    companion object {
        const val WIDTH = 240
        const val HEIGHT = 240
        const val MARGIN = 60
        private const val INSET = 14
        private const val TITLE_RISE = -14
        private const val LABEL_GAP = 8
        private const val TEXT_DROP = 4
        private const val TICK = 5
        private const val X_LABEL_DROP = 20
        private const val X_TITLE_DROP = 38
        private const val KILO = 1024
    }
}

internal fun SvgWriter.line(style: String, from: Spot, to: Spot) = line(style, from.x, from.y, to.x, to.y)

internal fun SvgWriter.text(style: String, at: Spot, text: String) = text(style, at.x, at.y, text)

internal fun SvgWriter.dot(style: String, at: Spot) = dot(style, at.x, at.y, DOT_RADIUS)

private const val DOT_RADIUS = 3.5
