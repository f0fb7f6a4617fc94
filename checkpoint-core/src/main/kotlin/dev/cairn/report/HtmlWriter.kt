package dev.cairn.report

import dev.cairn.command.svg.SvgWriter.escaped

/** The few elements of HTML of which a report is made. All text is escaped. */
internal class HtmlWriter {
    private val html = StringBuilder()

    /** An element that holds a [text] only. */
    fun text(element: String, text: String, style: String = "") {
        begin(element, style)
        html.append(escaped(text)).append("</$element>\n")
    }

    /** An element around the output of [content]. */
    fun block(element: String, style: String = "", content: HtmlWriter.() -> Unit) {
        begin(element, style)
        html.append('\n')
        content()
        html.append("</$element>\n")
    }

    /** A picture, drawn by [dev.cairn.command.svg.SvgWriter]. */
    fun picture(svg: String) {
        html.append(svg)
    }

    fun table(table: Table) =
        block("div", "table") {
            block("table") {
                block("thead") { row("th", table.head) }
                block("tbody") { table.rows.forEach { row("td", it) } }
            }
        }

    private fun row(element: String, cells: List<String>) {
        html.append("<tr>")
        for (cell in cells) text(element, cell, styleOf(cell))
        html.append("</tr>\n")
    }

    /** A number or a few words stay on one line, and a sentence gets a column that is wide enough for it. */
    private fun styleOf(cell: String): String =
        when {
            cell.toBigDecimalOrNull() != null -> "number"
            cell.length <= MOST_IN_LINE -> "words"
            else -> "sentence"
        }

    private fun begin(element: String, style: String) {
        html.append('<').append(element)
        if (style.isNotEmpty()) html.append(" class='").append(style).append('\'')
        html.append('>')
    }

    /** A page with this content. It loads nothing from outside, and reloads every [refreshSeconds], unless null. */
    fun page(title: String, style: String, refreshSeconds: Int?): String {
        val refresh = refreshSeconds?.let { "<meta http-equiv='refresh' content='$it'>\n" }.orEmpty()
        return "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n$MARK\n" +
            "<meta name='viewport' content='width=device-width, initial-scale=1'>\n" +
            "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src 'unsafe-inline'\">\n" +
            "<link rel='icon' href='data:,'>\n$refresh" +
            "<title>${escaped(title)}</title>\n<style>\n$style</style>\n</head>\n<body>\n$html</body>\n</html>\n"
    }

    companion object {
        /** Marks a page as a report. */
        const val MARK: String = "<meta name='generator' content='cairn report'>"

        private const val MOST_IN_LINE = 30
    }
}

/** A table of a report: rows of as many cells as the [head] has. */
internal class Table(val head: List<String>, val rows: List<List<String>>)

/** A picture with its [title], and with a [legend] of styles and their meanings if there is more than one. */
internal fun HtmlWriter.figure(title: String, svg: String, legend: List<Pair<String, String>> = emptyList()) =
    block("figure") {
        text("figcaption", title)
        if (legend.isNotEmpty()) legend(legend)
        picture(svg)
    }

/** What each style of a picture means. */
internal fun HtmlWriter.legend(entries: List<Pair<String, String>>) =
    block("ul", "legend") {
        for ((style, words) in entries) {
            block("li") {
                text("i", "", style)
                text("span", words)
            }
        }
    }
