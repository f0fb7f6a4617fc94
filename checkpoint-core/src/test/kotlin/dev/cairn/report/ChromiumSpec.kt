package dev.cairn.report

import dev.cairn.house.Need
import dev.cairn.house.OUTSIDE
import dev.cairn.house.needs
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.createTempDirectory
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** A browser shows a report as it is meant: measured in Chromium, at the widths of a phone and of a desk, in both colour schemes. */
@Tags(OUTSIDE)
class ChromiumSpec :
    FunSpec({
        val directory = tempdir().toPath()
        val story = HeatStory()
        val page = ReportPage(story.facts()).html()

        for (width in listOf(PHONE, DESK)) {
            for (scheme in Scheme.entries) {
                test("at $width pixels, $scheme, nothing overlaps, overflows or is hard to read")
                    .config(enabledOrReasonIf = needs { chromium }) {
                        val seen = measured(directory, page, width, scheme)
                        seen.sentences("errors").shouldBeEmpty()
                        seen.sentences("overlaps").shouldBeEmpty()
                        seen.sentences("overflows").shouldBeEmpty()
                        seen.sentences("faint").shouldBeEmpty()
                        seen.sentences("tiny").shouldBeEmpty()
                        seen.getValue("isDark").jsonPrimitive.content shouldBe "${scheme == Scheme.DARK}"
                        seen.getValue("texts").jsonPrimitive.int shouldBeGreaterThan 300
                    }
            }
        }

        test("on paper nothing overlaps, no table is cut off, and it is light in the dark, too")
            .config(enabledOrReasonIf = needs { chromium }) {
                val paper = page.replace("@media print", "@media screen")
                val seen = measured(directory, paper, PAPER, Scheme.DARK)
                for (flaw in listOf("errors", "overlaps", "overflows", "faint", "tiny")) {
                    seen.sentences(flaw).shouldBeEmpty()
                }
                seen.getValue("paper").jsonPrimitive.content shouldBe "rgb(255, 255, 255)"
            }

        test(
            "the measurements find texts that overlap, overflow or are faint",
        ).config(enabledOrReasonIf = needs { chromium }) {
            val bad =
                "<svg viewBox='0 0 400 40'><text x='9' y='20'>one</text><text x='12' y='22'>two</text></svg>" +
                    "<p style='width: 4000px'>wide</p><p style='color: #bbb; background: #fff'>faint</p>" +
                    "<p style='font-size: 5px'>tiny</p>"
            val seen = measured(directory, page.replace("</body>", "$bad</body>"), PHONE, Scheme.LIGHT)
            for (flaw in listOf("overlaps", "overflows", "faint", "tiny")) {
                seen.sentences(flaw).size shouldBeGreaterThan
                    0
            }
        }

        test("the browser shows the numbers of the events").config(enabledOrReasonIf = needs { chromium }) {
            val rows = measured(directory, page, DESK, Scheme.LIGHT).getValue("saves").jsonArray
            val shown =
                rows
                    .map { row ->
                        row.jsonArray.map { it.jsonPrimitive.content }
                    }.filter { it[7] == "committed" }
            shown.map { it[0] to it[9] } shouldBe story.saves.map { "${it.number}" to "${it.byteCount}" }
        }
    })

private const val PHONE = 390
private const val DESK = 1280

/** A4 between its margins. */
private const val PAPER = 718

private enum class Scheme(val number: Int) {
    DARK(0),
    LIGHT(1),
}

private val MEASUREMENT = Path.of("src/test/resources/report/measure.js")

private val chromium by lazy { Need.CHROMIUM.given(runCatching { run("chromium", "--version") }.isSuccess) }

/** Shows [page], whose own rules let no script run, with a script at its end, and returns what that has measured. */
private fun measured(directory: Path, page: String, width: Int, scheme: Scheme): JsonObject {
    val file = directory.resolve("measured.html")
    val script = "<script>${MEASUREMENT.readText()}</script>"
    val rules = Regex("<meta http-equiv='Content-Security-Policy'[^>]*>")
    file.writeText(page.replace(rules, "").replace("</body>", "$script</body>"))
    val profile = createTempDirectory(directory, "profile")
    val dom =
        run(
            "chromium",
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--user-data-dir=$profile",
            "--window-size=$width,2000",
            "--blink-settings=preferredColorScheme=${scheme.number}",
            "--dump-dom",
            "file://${file.toAbsolutePath()}",
        )
    profile.toFile().deleteRecursively()
    val found = dom.substringAfter("<pre id=\"measured\">").substringBefore("</pre>")
    return Json.parseToJsonElement(found.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")).jsonObject
}

private fun JsonObject.sentences(name: String): List<String> = getValue(name).jsonArray.map { it.jsonPrimitive.content }

private fun run(vararg command: String): String {
    val process = ProcessBuilder(*command).redirectError(ProcessBuilder.Redirect.DISCARD).start()
    val output = process.inputReader().readText()
    check(process.waitFor(1, TimeUnit.MINUTES) && process.exitValue() == 0) { "${command.toList()}: $output" }
    return output
}
