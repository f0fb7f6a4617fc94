package dev.cairn.examples.existing

import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.io.path.appendText
import kotlin.io.path.readLines
import kotlin.io.path.readText

/** A code on somebody else's library, before Cairn and after. */
class DebrisSpec :
    FunSpec({
        val directory = tempdir().toPath()

        test("the report does not tell that the code was stopped, nor on how many ranks it went on") {
            val expected = directory.resolve("before.txt").also { Debris.run(it, 12) }.readText()

            val report = directory.resolve("after.txt")
            DebrisWithRestart.run(report, 4, 7)
            report.appendText("day 8: half a li")
            DebrisWithRestart.run(report, 3, 12)
            report.readText() shouldBe expected
        }

        test("a report of a code that was stopped before its first day was over begins anew") {
            val report = directory.resolve("anew/report.txt").also { it.parent.toFile().mkdirs() }
            report.toFile().writeText("day 1: half a li")
            DebrisWithRestart.run(report, 2, 1)
            report.readLines().size shouldBe 1
        }

        test("the page shows what changed, which is at most 50 lines") {
            val diff = diff(linesOf("Debris"), linesOf("DebrisWithRestart"))
            diff.count { it.startsWith("+") } shouldBeLessThanOrEqual 50
            diff.count { it.startsWith("-") } shouldBeLessThanOrEqual 50
            blockOf(Path.of("../docs/adding-restart.md"), "diff") shouldBe diff.joinToString("\n")
        }
    })

private fun linesOf(program: String) = Path.of("src/main/java/dev/cairn/examples/existing/$program.java").readLines()

private fun blockOf(
    page: Path,
    language: String,
) = page.readText().substringAfter("```$language\n").substringBefore("\n```")

/** What becomes of the lines of [before] in [after], with one line around each change. */
private fun diff(
    before: List<String>,
    after: List<String>,
): List<String> {
    val all = marked(before, after)
    val shown = all.indices.filter { at -> (at - 1..at + 1).any { all.getOrNull(it)?.first() in setOf('+', '-') } }
    return shown.flatMapIndexed { index, at ->
        if (index > 0 && shown[index - 1] < at - 1) listOf("@@", all[at]) else listOf(all[at])
    }
}

/** All lines of both, those of a longest common subsequence once. */
private fun marked(
    before: List<String>,
    after: List<String>,
): List<String> {
    val common = Array(before.size + 1) { IntArray(after.size + 1) }
    for (i in before.indices.reversed()) {
        for (j in after.indices.reversed()) {
            common[i][j] =
                if (before[i] == after[j]) common[i + 1][j + 1] + 1 else maxOf(common[i + 1][j], common[i][j + 1])
        }
    }
    val lines = ArrayList<String>()
    var (i, j) = 0 to 0
    while (i < before.size || j < after.size) {
        when {
            i < before.size && j < after.size && before[i] == after[j] -> lines += " ${before[i++]}".also { j++ }
            j == after.size || (i < before.size && common[i + 1][j] >= common[i][j + 1]) -> lines += "-${before[i++]}"
            else -> lines += "+${after[j++]}"
        }
    }
    return lines
}
