package dev.cairn.report

import dev.cairn.command.svg.SvgWriter

/** A bar for each count, below each other, with its name above and its number beside. */
internal fun drawBars(counts: List<Pair<String, Int>>): String {
    val svg = SvgWriter("")
    val axis = Axis(Measure.COUNT, 0.0, counts.maxOf { it.second }.toDouble(), LEFT, RIGHT)
    counts.forEachIndexed { place, (name, count) ->
        val top = place * ROW
        svg.text("name", LEFT, top + NAME_DROP, shortened(name))
        svg.box("committed", LEFT, top + BAR_TOP, axis.place(count.toDouble()) - LEFT, BAR_HEIGHT, "$name: $count")
        svg.text("value", axis.place(count.toDouble()) + GAP, top + BAR_TOP + BAR_HEIGHT - 1, "$count")
    }
    return svg.element(WIDTH, counts.size * ROW)
}

private fun shortened(name: String) = if (name.length <= MOST_LETTERS) name else name.take(MOST_LETTERS - 1) + "…"

private const val WIDTH = 400.0
private const val LEFT = 4.0
private const val RIGHT = 340.0
private const val ROW = 32.0
private const val NAME_DROP = 12.0
private const val BAR_TOP = 17.0
private const val BAR_HEIGHT = 10.0
private const val GAP = 6.0
private const val MOST_LETTERS = 48
