package dev.cairn.examples.existing

import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.io.path.appendText
import kotlin.io.path.readLines
import kotlin.io.path.readText

/** A code on a foreign library, before Cairn and after. */
class DebrisSpec :
    FunSpec({
        val directory = tempdir().toPath()

        test("the report is independent of the stop and of the number of ranks after it") {
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

        test("in one process the report is independent of the stop") {
            val expected = directory.resolve("alone-before.txt").also { Debris.run(it, 12) }.readText()
            val report = directory.resolve("alone/report.txt").also { it.parent.toFile().mkdirs() }
            DebrisInOneProcess.run(report, 7)
            report.appendText("day 8: half a li")
            DebrisInOneProcess.run(report, 12)
            report.readText() shouldBe expected
        }

        test("the page about one process shows what changed, which is a handful of lines") {
            val folder = Path.of("src/main/java/dev/cairn/examples/existing")
            val diff = diff(linesOf(folder, "Debris"), linesOf(folder, "DebrisInOneProcess"))
            diff.count { it.startsWith("+") } shouldBeLessThanOrEqual 25
            diffsIn(Path.of("../docs/how-to/one-process.md")).single() shouldBe diff.joinToString("\n")
        }

        test("at most 50 lines changed") {
            val folder = Path.of("src/main/java/dev/cairn/examples/existing")
            val diff = diff(linesOf(folder, "Debris"), linesOf(folder, "DebrisWithRestart"))
            diff.count { it.startsWith("+") } shouldBeLessThanOrEqual 50
            diff.count { it.startsWith("-") } shouldBeLessThanOrEqual 50
        }
    })
