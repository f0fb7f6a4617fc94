package dev.cairn.report

/** A picture with its [title], and with a [legend] of styles and their meanings if there is more than one. */
internal fun HtmlWriter.figure(
    title: String,
    svg: String,
    legend: List<Pair<String, String>> = emptyList(),
) = block("figure") {
    text("figcaption", title)
    if (legend.isNotEmpty()) legend(legend)
    picture(svg)
}

/** The meaning of each style of a picture. */
internal fun HtmlWriter.legend(entries: List<Pair<String, String>>) =
    block("ul", "legend") {
        for ((style, words) in entries) {
            block("li") {
                text("i", "", style)
                text("span", words)
            }
        }
    }
