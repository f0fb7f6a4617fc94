package dev.cairn.benchmarks.parallel

import dev.cairn.benchmarks.plot.Curve
import dev.cairn.benchmarks.plot.Panel
import dev.cairn.benchmarks.plot.Spot
import dev.cairn.benchmarks.plot.dot
import dev.cairn.benchmarks.plot.line
import dev.cairn.benchmarks.plot.text
import dev.cairn.benchmarks.report.PhasesResult
import dev.cairn.benchmarks.report.Quartiles
import dev.cairn.command.svg.SvgWriter

private const val HEIGHT = 380.0
private const val TOP = 76.0
private const val LEGEND = 26.0
private const val LEGEND_STEP = 170

/** Colours that are distinct for colour-blind readers as well. */
private val COLORS = listOf("#0969da", "#d4670d", "#57606a", "#1a7f37")

private val STYLES = COLORS.indices.map { "curve$it" }

private val DEFINITIONS =
    """
    |<style>
    |text { font: 12px sans-serif; fill: #24292f }
    |.title { font-size: 14px; font-weight: bold }
    |.x { text-anchor: middle }
    |.y { text-anchor: end }
    |.grid { stroke: #d8dee4 }
    |.frame { stroke: #57606a }
    |.median { stroke-width: 2 }
    |${STYLES.zip(
        COLORS,
    ) { style, color -> ".$style { stroke: $color } circle.$style { fill: $color }" }.joinToString("\n")}
    |</style>
    |<rect width='100%' height='100%' fill='#fff'/>
    |
    """.trimMargin()

/** Rates of writing and reading, and the times of creating, side by side over the number of ranks. */
internal fun plotted(results: List<PhasesResult>): ByteArray {
    val names = results.map { it.contestant }.distinct()

    fun panel(title: String, figure: (PhasesResult) -> Quartiles) =
        Panel(title, names.zip(STYLES) { name, style -> Curve(name, style, results.points(name, figure)) })

    val panels =
        listOf(
            panel("Writing, MB/s", PhasesResult::writeRate),
            panel("Reading, MB/s", PhasesResult::readRate),
            panel("Creating, seconds") { it.createSeconds.atLeast(SHORTEST) },
        )
    val step = Panel.MARGIN + Panel.WIDTH
    val svg = SvgWriter(DEFINITIONS)
    names.zip(STYLES).forEachIndexed { place, (name, style) -> svg.legend(name, style, place) }
    panels.forEachIndexed { place, panel -> panel.draw(svg, Spot(place * step.toDouble(), TOP)) }
    return svg.picture(panels.size * step + Panel.MARGIN / 2.0, HEIGHT)
}

private fun SvgWriter.legend(name: String, style: String, place: Int) {
    val start = Spot(Panel.MARGIN.toDouble(), LEGEND).right(place * LEGEND_STEP)
    line("$style median", start, start.right(24))
    dot(style, start.right(12))
    text("legend", start.right(32).down(4), name)
}

private fun List<PhasesResult>.points(name: String, figure: (PhasesResult) -> Quartiles) =
    filter { it.contestant == name }.associate { it.rankCount to figure(it) }

/** The resolution of the times of `partest`. A time of zero has no place on a logarithmic axis. */
private const val SHORTEST = 1e-5

private fun Quartiles.atLeast(least: Double) = Quartiles(maxOf(lower, least), maxOf(median, least), maxOf(upper, least))
