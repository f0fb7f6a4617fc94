package dev.cairn.sion.cli

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe

/** What people read on a terminal of 80 columns. */
class HelpSpec :
    FunSpec({
        val verbs = verbsIn()
        val ofSubFiles = verbsIn("subfiles")
        val ofLogs = verbsIn("log")

        test("all verbs are looked at") { listOf(verbs, ofSubFiles, ofLogs).map { it.size } shouldBe listOf(10, 4, 6) }

        (listOf(emptyList<String>()) + verbs + ofSubFiles + ofLogs).map { it + "--help" }.forEach { arguments ->
            test("sion ${arguments.joinToString(" ")} fits into 80 columns, and is wrapped once") {
                val lines = sion(*arguments.toTypedArray()).text.lines()
                lines.shouldNotBeEmpty()
                lines.filter { it.length > 80 || it != it.trimEnd() }.shouldBeEmpty()
                lines.zipWithNext().filter { (line, next) -> isBroken(line, next) }.shouldBeEmpty()
            }
        }
    })

/** The words of each verb that the help of [group] lists; without one, of the command. */
private fun verbsIn(vararg group: String): List<List<String>> =
    Regex("(?m)^  ([a-z]+) +")
        .findAll(sion(*group, "--help").text.substringAfter("Verbs:"))
        .map { group.asList() + it.groupValues[1] }
        .toList()

/** Whether a paragraph continues in the next line although its first word had room here: a text wrapped twice. */
private fun isBroken(line: String, next: String) =
    isProse(line) && isProse(next) && line.last() !in ".:" && line.length + 1 + next.substringBefore(' ').length < 80

private fun isProse(line: String) = line.isNotEmpty() && listOf(" ", "Usage", "Example").none(line::startsWith)
