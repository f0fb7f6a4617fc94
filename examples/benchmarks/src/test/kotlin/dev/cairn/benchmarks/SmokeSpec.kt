package dev.cairn.benchmarks

import dev.cairn.benchmarks.payload.Payload
import dev.cairn.benchmarks.report.AtLeast
import dev.cairn.benchmarks.report.AtMost
import dev.cairn.benchmarks.report.Comparison
import dev.cairn.benchmarks.report.Quartiles
import dev.cairn.benchmarks.report.Quotient
import dev.cairn.benchmarks.report.Report
import dev.cairn.benchmarks.report.SizeConverter
import dev.cairn.benchmarks.report.textOf
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.json.Json
import kotlin.io.path.Path
import kotlin.io.path.createFile
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readLines
import kotlin.io.path.readText

/** That the benchmarks start, and what they all stand on. [SectionsSpec] runs all of them in larger builds. */
class SmokeSpec :
    FunSpec({
        val directory = tempdir().toPath()

        test("the command runs the section it is asked for and writes its figures as JSON") {
            val json = directory.resolve("figures.json")
            val arguments = arrayOf("--only", "tasks", "--pairs", "1", "--dir", "$directory", "--json", "$json")

            Benchmarks.commandLine(TINY).execute(*arguments) shouldBe 0

            directory.listDirectoryEntries() shouldContainExactly listOf(json)
            val report = Json.decodeFromString<Report>(json.readText())
            report.pairCount shouldBe 1
            report.results.map { it.name } shouldContainExactly
                listOf(
                    "write 50 tasks of 56 bytes, against a bare channel",
                    "write 50 tasks of 56 bytes, against a file for each",
                    "read 50 tasks of 56 bytes, against a bare channel",
                    "read 50 tasks of 56 bytes, against a file for each",
                )
            (report.results.first() as Comparison).oursSeconds.median shouldBeGreaterThan 0.0
        }

        test("without a pair nothing is measured") {
            Benchmarks.commandLine(TINY).execute("--pairs", "0", "--dir", "$directory") shouldBe 2
        }

        test("a wrong byte on either side stops the benchmark") {
            val payload = Payload(pieceSize = 16, pieceCount = 2)
            payload.room().put(payload.piece(1)).put(15, 0)

            payload.requireNumber(1)
            shouldThrow<IllegalStateException> { payload.requireNumber(0) }.message shouldContain "piece 1 was read"
            shouldThrow<IllegalStateException> { payload.requirePiece(1) }.message shouldContain
                "differs at its byte 15"
        }

        test("files left behind by a failure go with their directory") {
            val scratch = Scratch.inside(directory)
            scratch.directory.resolve("left").createFile()

            scratch.close()

            scratch.directory.exists() shouldBe false
        }

        test("where the memory file system is too small, another directory is taken with a loud line") {
            var said = ""

            Scratch.parentFor(Long.MAX_VALUE) { said = it } shouldBe Path(System.getProperty("java.io.tmpdir"))
            said shouldContain "ATTENTION"
        }

        test("quartiles lie between the neighbours") {
            Quartiles.of(listOf(4.0, 1.0, 3.0, 2.0)) shouldBe Quartiles(1.75, 2.5, 3.25)
            Quartiles.of(listOf(7.0)) shouldBe Quartiles(7.0, 7.0, 7.0)
        }

        test("a ratio compares times of the same round") {
            val rounds = listOf(1.0 to 2.0, 10.0 to 80.0)

            fun ratio(quotient: Quotient) =
                Comparison.of("", quotient, rounds, goal = null, { it.first }, { it.second }).ratio

            ratio(Quotient.OF_RATES) shouldBe Quartiles(3.5, 5.0, 6.5)
            ratio(Quotient.OF_TIMES) shouldBe Quartiles(0.21875, 0.3125, 0.40625)
        }

        test("a goal says what it asks for, and whether it is reached") {
            AtLeast(0.9).verdict(0.9) shouldBe "(at least 0.9: yes)"
            AtLeast(0.9).verdict(0.8) shouldBe "(at least 0.9: NO)"
            AtMost(1.2).verdict(1.2) shouldBe "(at most 1.2: yes)"
            AtMost(1.2).verdict(1.3) shouldBe "(at most 1.2: NO)"
        }

        test("sizes are bytes, or have a unit behind them") {
            val sizes = SizeConverter()

            listOf("12", "3K", "5M", "2G").map(sizes::convert) shouldContainExactly
                listOf(12L, 3_072L, 5_242_880L, 2_147_483_648L)
            listOf(12L, 3_072L, 5_242_880L, 2_147_483_648L).map(::textOf) shouldContainExactly
                listOf("12 bytes", "3 KiB", "5 MiB", "2 GiB")
        }

        test("no baseline is longer than 30 lines") {
            val baselines = Path("src/main/kotlin/dev/cairn/benchmarks/baseline").listDirectoryEntries()

            baselines.filter { it.readLines().size > 30 } shouldBe emptyList()
            baselines.isEmpty() shouldBe false
        }
    })
