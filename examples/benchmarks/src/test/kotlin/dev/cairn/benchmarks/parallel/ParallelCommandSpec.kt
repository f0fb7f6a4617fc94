package dev.cairn.benchmarks.parallel

import dev.cairn.benchmarks.Benchmarks
import dev.cairn.benchmarks.TINY
import dev.cairn.benchmarks.report.Report
import dev.cairn.house.Campaign
import dev.cairn.house.OUTSIDE
import dev.cairn.house.needs
import dev.cairn.mpi.MpiRun
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.Json
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText

/** No time is asserted here: on a busy machine any time may come out. */
@Tags(OUTSIDE)
class ParallelCommandSpec :
    FunSpec({
        fun names(json: Path) = Json.decodeFromString<Report>(json.readText()).results.map { it.name }

        test("ranks of one process write and read both ways, and leave no file behind") {
            val directory = tempdir().toPath()
            val json = directory.resolve("figures.json")
            val options = arrayOf("--dir", "$directory", "--pairs", "1", "--json", "$json")

            Benchmarks.commandLine(TINY).execute("parallel", *options, "--local", "8K", "--files", "2") shouldBe 0

            names(json) shouldContainExactly
                listOf("write", "read").map { "$it 32 KiB on 4 ranks: Cairn, against a file per rank" }
            directory.listDirectoryEntries() shouldContainExactly listOf(json)
        }

        test("processes write and read both ways, and rank 0 alone prints").config(
            enabledOrReasonIf = needs { MpiRun.isThere },
        ) {
            val count = Campaign.PROCESSES.limit(3)
            val directory = tempdir().toPath()
            val json = directory.resolve("figures.json")
            val options = arrayOf("--dir", "$directory", "--pairs", "1", "--json", "$json")

            val printed =
                MpiRun.output(count, "dev.cairn.benchmarks.BenchmarksKt", "parallel", *options, "--local", "8K")

            val job = "${8 * count} KiB on $count ranks: Cairn, against a file per rank"
            printed.lines().count { job in it } shouldBe 2
            names(json) shouldContainExactly listOf("write $job", "read $job")
            directory.listDirectoryEntries() shouldContainExactly listOf(json)
        }
    })
