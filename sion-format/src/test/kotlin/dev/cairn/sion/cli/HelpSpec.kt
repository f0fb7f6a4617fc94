package dev.cairn.sion.cli

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.collections.shouldNotBeEmpty

/** What people read on a terminal of 80 columns. */
class HelpSpec :
    FunSpec({
        val overview = sion("--help").text
        val verbs =
            Regex(
                "(?m)^  ([a-z]+) +",
            ).findAll(overview.substringAfter("Verbs:")).map { it.groupValues[1] }.toList()

        test("all verbs are looked at") { verbs shouldHaveSize 10 }

        val ofSubFiles = listOf("info", "verify", "assemble", "stripe").map { listOf("subfiles", it, "--help") }

        val ofLogs =
            listOf("inspect", "verify", "replay", "extract", "export", "import", "discard").map {
                listOf("log", it, "--help")
            }

        (verbs.map { listOf(it, "--help") } + ofSubFiles + ofLogs + listOf(listOf("--help"))).forEach { arguments ->
            test("sion ${arguments.joinToString(" ")} fits into 80 columns, and is wrapped once") {
                val lines = sion(*arguments.toTypedArray()).text.lines()
                lines.shouldNotBeEmpty()
                lines.filter { it.length > 80 || it != it.trimEnd() }.shouldBeEmpty()
                lines.zipWithNext().filter { (line, next) -> isBroken(line, next) }.shouldBeEmpty()
            }
        }
    })

/** Whether a paragraph continues in the next line although its first word had room here: a text wrapped twice. */
private fun isBroken(line: String, next: String) =
    isProse(line) && isProse(next) && line.last() !in ".:" && line.length + 1 + next.substringBefore(' ').length < 80

private fun isProse(line: String) = line.isNotEmpty() && listOf(" ", "Usage", "Example").none(line::startsWith)
