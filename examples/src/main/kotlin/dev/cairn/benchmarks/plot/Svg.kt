package dev.cairn.benchmarks.plot

import java.util.Locale

/** A picture as text. Coordinates are pixels from the upper left corner, on white. */
internal class Svg(
    private val width: Int,
    private val height: Int,
) {
    private val elements = StringBuilder()

    fun line(
        from: Spot,
        to: Spot,
        color: String,
        thickness: Double = 1.0,
    ) = add(
        """<line x1="${from.x.px}" y1="${from.y.px}" x2="${to.x.px}" y2="${to.y.px}" stroke="$color" """ +
            """stroke-width="$thickness"/>""",
    )

    fun polyline(
        spots: List<Spot>,
        color: String,
    ) = add(
        """<polyline points="${spots.joinToString(" ") { "${it.x.px},${it.y.px}" }}" fill="none" stroke="$color" """ +
            """stroke-width="2"/>""",
    )

    fun dot(
        at: Spot,
        color: String,
    ) = add("""<circle cx="${at.x.px}" cy="${at.y.px}" r="3.5" fill="$color"/>""")

    /** [role] is the class of the element: what the text is for. */
    fun text(
        text: String,
        at: Spot,
        role: String,
    ) = add("""<text class="$role" x="${at.x.px}" y="${at.y.px}">$text</text>""")

    private fun add(element: String) {
        elements.append("  ").append(element).append('\n')
    }

    override fun toString(): String =
        """
        |<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 $width $height" width="$width" height="$height">
        |  <style>
        |    text { font: 12px sans-serif; fill: #24292f }
        |    .title { font-size: 14px; font-weight: bold }
        |    .x { text-anchor: middle }
        |    .y { text-anchor: end }
        |  </style>
        |  <rect width="$width" height="$height" fill="white"/>
        |$elements</svg>
        |
        """.trimMargin()

    private val Double.px get() = "%.1f".format(Locale.ROOT, this)
}

/** A place in a picture. */
internal data class Spot(
    val x: Double,
    val y: Double,
) {
    fun right(pixels: Number) = copy(x = x + pixels.toDouble())

    fun down(pixels: Number) = copy(y = y + pixels.toDouble())
}
