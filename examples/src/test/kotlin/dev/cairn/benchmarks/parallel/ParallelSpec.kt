package dev.cairn.benchmarks.parallel

import dev.cairn.benchmarks.Benchmarks
import dev.cairn.benchmarks.report.PhasesResult
import dev.cairn.benchmarks.report.Quartiles
import dev.cairn.benchmarks.report.RatioResult
import dev.cairn.benchmarks.report.Report
import dev.cairn.benchmarks.sections.Scale
import dev.cairn.ranks.runRanks
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.json.Json
import java.nio.ByteBuffer
import kotlin.io.path.deleteExisting
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText

/** No time is asserted here: on a busy machine any time may come out. */
class ParallelSpec :
    FunSpec({
        val directory = tempdir().toPath()

        fun job(rankCount: Int, bytesPerRank: Int = 16) =
            Job(rankCount, 1, Type.entries, 1, bytesPerRank, bufferCount = 1, bytesPerRank.toLong(), blockSize = 512)

        fun execute(vararg arguments: String): Int =
            Benchmarks.commandLine(Scale.FULL).execute("--dir", "$directory", "--pairs", "1", "parallel", *arguments)

        fun figuresOf(vararg arguments: String): Report {
            val json = directory.resolve("figures.json")
            execute(*arguments, "--json", "$json") shouldBe 0
            return Json.decodeFromString<Report>(json.readText()).also {
                json.deleteExisting()
                directory.listDirectoryEntries() shouldBe emptyList()
            }
        }

        test("simulated ranks write and read both ways, in several sizes, and leave no file behind") {
            val results = figuresOf("--ranks", "2,5", "--total", "40K", "--buffer", "4K", "--files", "2").results

            results.map { it.name } shouldContainExactly
                listOf(
                    "40 KiB on 2 ranks, Cairn",
                    "40 KiB on 2 ranks, a file per rank",
                    "write 40 KiB on 2 ranks: Cairn, against a file per rank",
                    "read 40 KiB on 2 ranks: Cairn, against a file per rank",
                    "40 KiB on 5 ranks, Cairn",
                    "40 KiB on 5 ranks, a file per rank",
                    "write 40 KiB on 5 ranks: Cairn, against a file per rank",
                    "read 40 KiB on 5 ranks: Cairn, against a file per rank",
                )
            results.filterIsInstance<PhasesResult>().forEach { it.createSeconds.median shouldBeGreaterThan 0.0 }
        }

        test("one type alone is compared with no other, and chunks may be smaller than buffers") {
            val sizes = arrayOf("--local", "10K", "--buffer", "4K", "--chunk", "1500", "--block", "512")
            val results = figuresOf("--ranks", "3", "--type", "multifile", *sizes).results

            // Two whole buffers for each rank.
            results.map { it.name } shouldContainExactly listOf("24 KiB on 3 ranks, Cairn")
        }

        test("files that are closed in between hold the same bytes") {
            val job = job(rankCount = 3)
            runRanks(3) {
                val share = Share(rank, job, shareInProcess { Payloads(job) })
                InOwnFiles(staysOpen = false).run(this, share, directory)
            }
            directory.listDirectoryEntries() shouldBe emptyList()
        }

        test("what another rank has written is not taken for a rank's own") {
            val job = job(rankCount = 2)
            val bytes = ByteBuffer.allocate(job.bufferSize)
            Share(0, job, Payloads(job)).writeAll { bytes.put(it).flip() }

            Share(0, job, Payloads(job)).readAll(Proof.BYTES) { it.put(bytes.rewind()) }
            shouldThrow<IllegalStateException> {
                Share(1, job, Payloads(job)).readAll(Proof.NUMBERS) { it.put(bytes.rewind()) }
            }.message shouldContain "piece 1 was expected, but piece 0 was read"
        }

        test("parameters that make no sense are refused") {
            execute("--ranks", "0") shouldBe 2
            execute("--buffer", "7") shouldBe 2
            execute("--local", "1X") shouldBe 2
            execute("--local", "1M", "--total", "1M") shouldBe 2
        }

        test("sizes are bytes, or have a unit behind them") {
            val sizes = SizeConverter()

            listOf("12", "3K", "5M", "2G").map(sizes::convert) shouldContainExactly
                listOf(12L, 3_072L, 5_242_880L, 2_147_483_648L)
            listOf(12L, 3_072L, 5_242_880L, 2_147_483_648L).map(::textOf) shouldContainExactly
                listOf("12 bytes", "3 KiB", "5 MiB", "2 GiB")
        }

        test("a ratio compares times of the same round, and counts all that belongs to writing or reading") {
            val job = job(rankCount = 2, bytesPerRank = 500_000)
            val ours = PhaseTimes(create = 1.0, write = 2.0, close = 1.0, open = 1.0, read = 1.0)
            val theirs = PhaseTimes(create = 0.0, write = 2.0, close = 0.0, open = 0.0, read = 1.0)
            val slow = PhaseTimes(create = 10.0, write = 20.0, close = 10.0, open = 10.0, read = 10.0)
            val slower = PhaseTimes(create = 0.0, write = 80.0, close = 0.0, open = 0.0, read = 80.0)

            val results = standings(job, listOf("A", "B"), listOf(listOf(ours, theirs), listOf(slow, slower)))

            // A megabyte in 4 and in 40 seconds.
            val rate = results.filterIsInstance<PhasesResult>().first().writeRate
            rate.median shouldBe (0.1375 plusOrMinus 1e-9)
            results.filterIsInstance<RatioResult>().map { it.ratio } shouldContainExactly
                listOf(Quartiles(0.875, 1.25, 1.625), Quartiles(1.375, 2.25, 3.125))
        }
    })
