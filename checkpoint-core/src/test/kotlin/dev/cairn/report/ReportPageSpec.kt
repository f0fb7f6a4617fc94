package dev.cairn.report

import dev.cairn.event.EventHistory
import dev.cairn.text.secondsText
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.w3c.dom.Element
import java.nio.file.Path
import javax.xml.parsers.DocumentBuilderFactory
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** A report says what the events say, and the same events make the same page. */
class ReportPageSpec :
    FunSpec({
        val story = HeatStory()
        val page = ReportPage(story.facts()).html()

        test("the page is that of src/test/resources/report, which -Dcairn.report.update=true rewrites") {
            if (System.getProperty("cairn.report.update").toBoolean()) GOLDEN.writeText(page)
            page shouldBe GOLDEN.readText()
        }

        test("names and reasons are text, whatever they hold") {
            page shouldNotContain "<script"
            page shouldContain "&lt;script&gt;alert(&#39;u&#39;)&lt;/script&gt;: no space left"
        }

        test("nothing comes from outside, and nothing runs") {
            val addresses =
                Regex(
                    """(src|href|url)\s*[=(]\s*['"]?([^'")\s>]*)""",
                ).findAll(page).map { it.groupValues[2] }
            addresses.toList() shouldContainExactly listOf("data:,")
            page shouldNotContain "@import"
        }

        test("a save that was under way when its program was killed has no known end") {
            page shouldContain "save 7, step 700: unknown, begun, no end known"
            page shouldContain "no end known, last heard of at 2025-01-31T09:01:10.529Z"
        }

        test("the table of saves has each save with the numbers of its event") {
            val rows = tableUnder(page, "waited").map { row -> row.map { it.trim() } }
            rows shouldHaveSize 15
            for (saved in story.saves) {
                val row = rows.single { it[0] == "${saved.number}" }
                row[1] shouldBe "${saved.step}"
                row[6] shouldBe "committed"
                row[8] shouldBe "${saved.byteCount}"
                row[9] shouldBe secondsText(saved.time)
                row[11] shouldBe secondsText(saved.waited)
                row[12] shouldBe "rank ${saved.slowestRank}, ${secondsText(saved.slowestTime)}"
            }
        }

        test("each save is as long in the timeline as its events are apart") {
            val programs = ProgramHistory.of(story.history.lines)
            val svg = parsed(checkNotNull(Timeline(programs, isRunning = false).draw()))
            for (program in programs) {
                for (save in program.saves.filter { it.number != null }) {
                    val box = svg.boxTitled("save ${save.number}, step ${save.step}: ")
                    val seconds = secondsBetween(save.begin, save.end ?: program.last)
                    val expected = maxOf(1.5, seconds / program.seconds * 360.0)
                    box.getAttribute("width").toDouble() shouldBe (expected plusOrMinus 0.001)
                    box.getAttribute("class") shouldBe save.state
                }
            }
        }

        test("without events the page says so, and tells what the store holds") {
            val empty = ReportPage(story.facts(EventHistory(emptyList(), 0, isComplete = false))).html()
            empty shouldContain "The store holds no events"
            empty shouldContain "A restart continues from save 14."
            val damaged = ReportPage(story.facts(EventHistory(emptyList(), 2, isComplete = false))).html()
            damaged shouldContain "Skipped: 2 lines without a whole event."
        }

        test("a program whose start is lost is shown with what is known of it") {
            val late = story.history.lines.drop(5)
            val lossy = ReportPage(story.facts(EventHistory(late, 0, isComplete = false))).html()
            lossy shouldContain "Older events may be lost"
            lossy shouldContain "rank 0 of unknown"
        }

        test("a running program has no end, and is not called killed") {
            val running = story.history.lines.dropLast(1)
            val page = ReportPage(story.facts(EventHistory(running, 0, true), owner = "process 4711 on node2")).html(5)
            page shouldContain "Program 3, 5 ranks: running"
            page shouldContain "http-equiv='refresh' content='5'"
        }
    })

private val GOLDEN = Path.of("src/test/resources/report/heat.html")

/** The rows of the table that has a column of this name. */
private fun tableUnder(
    page: String,
    column: String,
): List<List<String>> {
    val table = page.split("<table>").first { ">$column</th>" in it }.substringBefore("</table>")
    val rows = table.substringAfter("<tbody>").split("<tr>").drop(1)
    return rows.map { row -> Regex("<td[^>]*>([^<]*)</td>").findAll(row).map { it.groupValues[1] }.toList() }
}

private fun parsed(svg: String): Element =
    DocumentBuilderFactory
        .newInstance()
        .newDocumentBuilder()
        .parse(svg.byteInputStream())
        .documentElement

private fun Element.boxTitled(beginning: String): Element {
    val boxes = getElementsByTagName("rect")
    return List(boxes.length) { boxes.item(it) as Element }.single { it.textContent.startsWith(beginning) }
}
