package dev.cairn.benchmarks.parallel

import dev.cairn.benchmarks.plot.Curve
import dev.cairn.benchmarks.plot.Panel
import dev.cairn.benchmarks.plot.Spot
import dev.cairn.benchmarks.plot.Svg
import dev.cairn.benchmarks.report.PhasesResult
import dev.cairn.benchmarks.report.Quartiles

private const val HEIGHT = 380
private const val TOP = 76.0
private const val LEGEND = 26.0
private const val LEGEND_STEP = 170

/** Colours that are distinct for colour-blind readers as well. */
private val colors = listOf("#0969da", "#d4670d", "#57606a", "#1a7f37")

/** Rates of writing and reading, and the times of creating, side by side over the number of ranks. */
internal fun plotted(results: List<PhasesResult>): Svg {
    val names = results.map { it.contestant }.distinct()

    fun panel(
        title: String,
        figure: (PhasesResult) -> Quartiles,
    ) = Panel(title, names.zip(colors) { name, color -> Curve(name, color, results.points(name, figure)) })

    val panels =
        listOf(
            panel("Writing, MB/s", PhasesResult::writeRate),
            panel("Reading, MB/s", PhasesResult::readRate),
            panel("Creating, seconds") { it.createSeconds.atLeast(SHORTEST) },
        )
    val step = Panel.MARGIN + Panel.WIDTH
    val svg = Svg(width = panels.size * step + Panel.MARGIN / 2, HEIGHT)
    names.zip(colors).forEachIndexed { place, (name, color) -> svg.legend(name, color, place) }
    panels.forEachIndexed { place, panel -> panel.draw(svg, Spot(place * step.toDouble(), TOP)) }
    return svg
}

private fun Svg.legend(
    name: String,
    color: String,
    place: Int,
) {
    val start = Spot(Panel.MARGIN.toDouble(), LEGEND).right(place * LEGEND_STEP)
    line(start, start.right(24), color, thickness = 2.0)
    dot(start.right(12), color)
    text(name, start.right(32).down(4), "legend")
}

private fun List<PhasesResult>.points(
    name: String,
    figure: (PhasesResult) -> Quartiles,
) = filter { it.contestant == name }.associate { it.rankCount to figure(it) }

/** The resolution of the times of `partest`. A time of zero has no place on a logarithmic axis. */
private const val SHORTEST = 1e-5

private fun Quartiles.atLeast(least: Double) = Quartiles(maxOf(lower, least), maxOf(median, least), maxOf(upper, least))
