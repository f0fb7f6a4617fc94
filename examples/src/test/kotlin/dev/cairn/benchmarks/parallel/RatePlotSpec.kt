package dev.cairn.benchmarks.parallel

import dev.cairn.benchmarks.report.PhasesResult
import dev.cairn.benchmarks.report.Quartiles
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import org.w3c.dom.Element
import javax.xml.parsers.DocumentBuilderFactory
import kotlin.math.ln

/** Reads figures off the picture by the labels of its axes, as people do, and compares them with the table. */
class RatePlotSpec :
    FunSpec({
        fun result(contestant: String, rankCount: Int, figure: Double) =
            Quartiles(figure / 1.5, figure, figure * 1.7).let { rate ->
                val create = Quartiles(1 / rate.upper, 1 / rate.median, 1 / rate.lower)
                PhasesResult("", contestant, rankCount, create, rate, rate, rate, rate, rate, readRate = rate.doubled())
            }

        val table =
            listOf(
                result("Cairn", 16, 700.0),
                result("a file per rank", 16, 1300.0),
                result("Cairn", 1024, 350.0),
                result("a file per rank", 1024, 47.0),
                result("Cairn", 65_536, 5.5),
                result("a file per rank", 65_536, 0.8),
            )
        val picture = Picture(plotted(table))

        test("every dot is where its number of ranks and its figure belong") {
            val figures =
                listOf<(PhasesResult) -> Quartiles>({ it.writeRate }, { it.readRate }, { it.createSeconds })
            picture.panels.forEachIndexed { place, panel ->
                panel.dots.size shouldBe table.size
                val drawn = panel.dots.map { (x, y) -> panel.rankCount(x) to panel.figure(y) }
                val expected = table.sortedBy { it.contestant != "Cairn" }
                drawn.zip(expected) { (ranks, figure), row ->
                    val median = figures[place](row).median
                    ranks shouldBe (row.rankCount.toDouble() plusOrMinus row.rankCount * READING_ERROR)
                    figure shouldBe (median plusOrMinus median * READING_ERROR)
                }
            }
        }

        test("titles name the quantity and its unit, and the legend the contestants") {
            picture.texts("title") shouldContainExactly listOf("Writing, MB/s", "Reading, MB/s", "Creating, seconds")
            picture.texts("legend") shouldContainExactly listOf("Cairn", "a file per rank")
        }

        test("a single number of ranks is drawn, too") {
            Picture(plotted(table.take(2))).panels.map { it.dots.size } shouldContainExactly listOf(2, 2, 2)
        }
    })

/** Pixels are drawn to a tenth. */
private const val READING_ERROR = 0.02

private fun Quartiles.doubled() = Quartiles(2 * lower, 2 * median, 2 * upper)

private class Label(val place: Double, val value: Double)

private class DrawnPanel(
    private val xLabels: List<Label>,
    private val yLabels: List<Label>,
    val dots: List<Pair<Double, Double>>,
) {
    fun rankCount(x: Double) = read(xLabels, x)

    fun figure(y: Double) = read(yLabels, y)

    /** Between the outermost labels, on a logarithmic scale. */
    private fun read(labels: List<Label>, place: Double): Double {
        val (first, last) = labels.first() to labels.last()
        val share = (place - first.place) / (last.place - first.place)
        return first.value * Math.exp(share * ln(last.value / first.value))
    }
}

/** The elements of a drawn picture, told apart by where they lie. */
private class Picture(svg: ByteArray) {
    private val root =
        DocumentBuilderFactory
            .newInstance()
            .newDocumentBuilder()
            .parse(svg.inputStream())
            .documentElement
    private val texts = elements("text")

    fun texts(role: String) = texts.filter { it.getAttribute("class") == role }.map { it.textContent }

    val panels: List<DrawnPanel> =
        texts.filter { it.getAttribute("class") == "title" }.map { title ->
            val left = title.number("x")
            val top = title.number("y")
            DrawnPanel(
                labels("x", "x", left..left + WIDTH),
                // Labels of the vertical axis stand on their line, a little lower, and left of it.
                labels("y", "y", left - MARGIN..left).map { Label(it.place - TEXT_DROP, it.value) },
                elements("circle")
                    .map { it.number("cx") to it.number("cy") }
                    .filter { (x, y) -> x in left..left + WIDTH && y > top },
            )
        }

    private fun labels(role: String, attribute: String, columns: ClosedRange<Double>) =
        texts
            .filter { it.getAttribute("class") == role && it.number("x") in columns && it.textContent != "ranks" }
            .map { Label(it.number(attribute), value(it.textContent)) }

    private fun value(label: String) =
        label.replace(",", "").let { if (it.endsWith("k")) it.dropLast(1).toDouble() * 1024 else it.toDouble() }

    private fun elements(name: String): List<Element> =
        root.getElementsByTagName(name).let { found -> List(found.length) { found.item(it) as Element } }

    private fun Element.number(attribute: String) = getAttribute(attribute).toDouble()

    private companion object {
        const val WIDTH = 240.0
        const val MARGIN = 60.0
        const val TEXT_DROP = 4.0
    }
}
