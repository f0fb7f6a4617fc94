package dev.cairn.cli

import dev.cairn.options.SimulationOptions
import dev.cairn.options.helpText
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

/** What people read on a terminal of 80 columns. */
class HelpSpec :
    FunSpec({
        val command = HeatCheckpoints()
        val overview = command.cairn("--help").text
        val list = overview.substringAfter("Verbs:").substringBefore("Exit codes:")
        val verbs = Regex("(?m)^  ([a-z]+) +").findAll(list).map { it.groupValues[1] }.toList()

        test("all verbs are looked at") { verbs shouldHaveSize 19 }

        (verbs.map { listOf(it, "--help") } + listOf(listOf("--help"))).forEach { arguments ->
            test("cairn ${arguments.joinToString(" ")} fits into 80 columns, without blanks at the ends of lines") {
                val lines = command.cairn(*arguments.toTypedArray()).text.lines()
                lines.shouldNotBeEmpty()
                lines.filter { it.length > 80 || it != it.trimEnd() }.shouldBeEmpty()
            }

            test("cairn ${arguments.joinToString(" ")} breaks no word and no sentence before its place") {
                brokenLines(command.cairn(*arguments.toTypedArray()).text.lines()).shouldBeEmpty()
            }
        }

        test("the help of a program fits, too, and its paragraph is filled") {
            val lines = helpText("heat", SimulationOptions().configuration)
            lines.filter { it.length > 80 || it != it.trimEnd() }.shouldBeEmpty()
            brokenLines(lines).shouldBeEmpty()
            lines.joinToString(" ") shouldContain "The value in brackets is the default."
        }

        test("what is counted once has no plural") {
            val lone = HeatCheckpoints().apply { save(1, step = 1) }
            lone.cairn("extract", "heat.cairn/1", "seen", "seen", "--rank", "0").exitCode shouldBe 0
            val looks = listOf("ls", "info", "verify", "explain", "config").map { listOf(it, "heat.cairn") }
            val plans = listOf("1", "2").map { listOf("plan", "heat.cairn", "--ranks", it) }
            for (arguments in looks + plans) {
                val text = lone.cairn(*arguments.toTypedArray()).run { text + complaint }
                withClue(text) { Regex("(?<![0-9.])1 (?!has\\b|is\\b)[a-z]+s\\b").find(text) shouldBe null }
            }
        }
    })

/** Lines of a paragraph that end although the next word has room: a text wrapped twice. */
private fun brokenLines(lines: List<String>): List<String> =
    lines
        .zipWithNext()
        .filter { (line, next) -> isProse(line) && isProse(next) && hasRoom(line, next) }
        .map { it.first }

private fun isProse(line: String) = line.isNotEmpty() && listOf(" ", "Usage", "Example").none(line::startsWith)

private fun hasRoom(line: String, next: String) =
    line.last() !in ".:" && line.length + 1 + next.substringBefore(' ').length < 80
