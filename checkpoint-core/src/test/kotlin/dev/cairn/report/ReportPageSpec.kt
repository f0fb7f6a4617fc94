package dev.cairn.report

import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointEvent.ProgramEnd
import dev.cairn.event.EventLine
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.event.secondsText
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.w3c.dom.Element
import java.nio.file.Path
import java.time.Instant
import javax.xml.parsers.DocumentBuilderFactory
import kotlin.io.path.readText
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.seconds

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
                row[7] shouldBe "committed"
                row[9] shouldBe "${saved.byteCount}"
                row[10] shouldBe secondsText(saved.time)
                row[12] shouldBe secondsText(saved.waited)
                row[13] shouldBe "rank ${saved.slowestRank}, ${secondsText(saved.slowestTime)}"
            }
        }

        test("each save is as long in the timeline as its events are apart") {
            val programs = ProgramHistory.of(story.history.lines)
            val svg = parsed(checkNotNull(Timeline(programs, running = null).draw()))
            for (program in programs) {
                for (save in program.saves.filter { it.number != null }) {
                    val box = svg.boxTitled("save ${save.number}, step ${save.step}: ")
                    val seconds = checkNotNull((save.end ?: program.last).secondsSince(save.begin))
                    val expected = maxOf(1.5, seconds / program.seconds * 360.0)
                    box.getAttribute("width").toDouble() shouldBe (expected plusOrMinus 0.001)
                    box.getAttribute("class") shouldBe save.state
                }
            }
        }

        test("the table of saves tells how long a sealed save took to its commit, and of no other save") {
            val rows = tableUnder(page, "seal to commit").associate { it[0] to it[6] }
            // Save 8 was committed 4 s after its seal, save 10 after 4 s, too, and save 9 was superseded.
            rows.filterValues { it.isNotEmpty() } shouldBe mapOf("8" to "4.000 s", "10" to "4.000 s")
        }

        test("dots of several series at one place are all seen, since those on top are smaller") {
            val same = listOf(1.0 to 2.0)
            val series = listOf("first", "second", "third").map { Series(it, it, same) }
            val svg = checkNotNull(Chart(Measure.COUNT, Measure.SECONDS, "save", series, isJoined = false).draw())
            val dots = Regex("<circle class='([a-z]+)'[^>]* r='([0-9.]+)'").findAll(svg).map { it.groupValues }.toList()
            dots.map { it[1] } shouldContainExactly listOf("first", "second", "third")
            dots.map { it[2].toDouble() } shouldContainExactly listOf(5.5, 4.0, 2.5)
        }

        test("where a clock was set back, the page says so, keeps the order of the events and calls times unknown") {
            val played = SetBackStory()
            val back = ReportPage(story.facts(EventHistory(played.lines, 0, isComplete = true))).html()
            val notes = Regex("<p class='note'>([^<]*)</p>").findAll(back).map { it.groupValues[1] }
            notes.filter { "clock" in it }.toList() shouldContainExactly
                listOf(
                    "Program 1: its clock was set back by at least 1m between two events, of " +
                        "2025-01-31T10:00:12Z and 2025-01-31T09:59:12Z. The picture continues there, and durations " +
                        "across that point are unknown.",
                    "Program 2: it began at 2025-01-31T09:00:00Z, at least 59m 30s before the event of " +
                        "2025-01-31T09:59:30Z that was written before it. The clock was set back, or the program ran " +
                        "on a host with another clock.",
                )
            val rows = tableUnder(back, "seal to commit").associateBy { it[0] }
            rows.getValue("1").subList(4, 7) shouldBe listOf("2.000 s", "unknown", "unknown")
            rows.getValue("2").subList(4, 7) shouldBe listOf("", "2.000 s", "")

            val svg = parsed(checkNotNull(Timeline(ProgramHistory.of(played.lines), running = null).draw()))

            fun left(save: Int) = svg.boxTitled("save $save, step $save: committed").getAttribute("x").toDouble()

            fun width(save: Int) = svg.boxTitled("save $save, step $save: committed").getAttribute("width").toDouble()
            // 30 s of the first program are 360 pixels: 12 s before its clock was set back, and 18 s after it.
            left(1) shouldBe (16 + 120.0 plusOrMinus 0.001)
            width(1) shouldBe (24.0 plusOrMinus 0.001)
            left(2) shouldBe (16 + 240.0 plusOrMinus 0.001)
            width(2) shouldBe (24.0 plusOrMinus 0.001)
        }

        test("times that are centuries apart make a page, too") {
            val lines =
                listOf("1970-01-01T00:00:00Z", "9999-12-31T00:00:00Z", "1970-01-01T00:00:00Z").mapIndexed {
                    place,
                    time,
                    ->
                    EventLine(Instant.parse(time), "aaaa0001", CheckpointEvent.Begun(place + 1, place.toLong(), ""))
                }
            val page = ReportPage(story.facts(EventHistory(lines, 0, isComplete = true))).html()
            page shouldContain "its clock was set back by at least 2932896d"
        }

        test("programs that write between each other's lines have no clock that was set back") {
            val start = Instant.parse("2025-01-31T10:00:00Z")
            val lines =
                listOf("a" to 0L, "b" to 5L, "a" to 6L, "b" to 7L).map { (program, second) ->
                    EventLine(start.plusSeconds(second), program, CheckpointEvent.Begun(1, second, ""))
                }
            setBacksIn(lines).shouldBeEmpty()
            setBacksIn(story.history.lines).shouldBeEmpty()
        }

        test("without events the page says so, and tells what the store holds") {
            val empty = ReportPage(story.facts(EventHistory(emptyList(), 0, isComplete = false))).html()
            empty shouldContain "The store holds no events"
            empty shouldContain "A restart continues from save 14."
            val damaged = ReportPage(story.facts(EventHistory(emptyList(), 2, isComplete = false))).html()
            damaged shouldContain "Skipped: 2 lines without a whole event."
        }

        test("of a save whose first event is lost, the time since its beginning is not known") {
            val end = story.history.lines.indexOfFirst { it.event is Saved }
            val late = EventHistory(story.history.lines.drop(end), 0, isComplete = false)
            val row = tableUnder(ReportPage(story.facts(late)).html(), "waited").first()
            row.subList(3, 6) shouldBe listOf("unknown", "", "unknown")
            row[10] shouldBe secondsText(story.saves.first().time)
        }

        test("a program whose start is lost is shown with what is known of it") {
            val late = story.history.lines.drop(5)
            val lossy = ReportPage(story.facts(EventHistory(late, 0, isComplete = false))).html()
            lossy shouldContain "Older events may be lost"
            lossy shouldContain "rank 0 of unknown"
        }

        test("a running program has no end, and is not called killed") {
            val running = story.history.lines.dropLast(1)
            val start = running.last { it.event is CheckpointEvent.Started }.time
            val page = ReportPage(story.facts(EventHistory(running, 0, true), by(start))).html(5)
            page shouldContain "Program 3, 5 ranks: running"
            page shouldContain "http-equiv='refresh' content='5'"
        }

        test("a killed program is not called running while another one runs that has told no events") {
            val killed = story.history.lines.dropLast(1)
            val page =
                ReportPage(
                    story.facts(EventHistory(killed, 0, true), by(killed.last().time.plusSeconds(60))),
                ).html()
            page shouldContain "running: process 4711 on node2"
            page shouldContain "Program 3, 5 ranks: no end known"
        }

        test("a page that cannot tell whether a program runs does not say that none does") {
            val killed = story.history.lines.dropLast(1)
            val page = ReportPage(story.facts(EventHistory(killed, 0, true), StoreUse.Unknown)).html()
            page shouldContain "unknown; the last one in the events: no end known, last heard of at"
            page shouldNotContain "not running"
        }
    })

private fun by(since: Instant) = StoreUse.ByProcess(4711, "node2", since)

/** A clock that is set back by a minute while a save is drained, and by an hour before the restart. */
private class SetBackStory {
    private var now = Instant.parse("2025-01-31T10:00:00Z")
    private var program = "aaaa0001"
    val lines = mutableListOf<EventLine>()

    init {
        tell(0, CheckpointEvent.Started(1, 1, mapOf("node0" to "0"), "node0", 4711, "0.9"))
        tell(10, CheckpointEvent.Begun(1, 1, ""))
        tell(2, SaveOutcome.Sealed(1, 1, ""))
        tell(-60, saved(1))
        tell(8, CheckpointEvent.Begun(2, 2, ""))
        tell(2, saved(2))
        tell(8, CheckpointEvent.Ended(ProgramEnd.STOPPED, 2))
        program = "aaaa0002"
        tell(-59 * 60 - 30, CheckpointEvent.Started(1, 1, mapOf("node0" to "0"), "node0", 4712, "0.9"))
    }

    private fun saved(number: Int) = Saved(number, number.toLong(), "", 8, 1.seconds, 0, 1.seconds, 1.seconds)

    private fun tell(seconds: Long, event: CheckpointEvent) {
        now = now.plusSeconds(seconds)
        lines += EventLine(now, program, event)
    }
}

private val GOLDEN = Path.of("src/test/resources/report/heat.html")

/** The rows of the table that has a column of this name. */
private fun tableUnder(page: String, column: String): List<List<String>> {
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
