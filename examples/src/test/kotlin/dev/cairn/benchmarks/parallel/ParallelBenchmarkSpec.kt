package dev.cairn.benchmarks.parallel

import dev.cairn.benchmarks.report.PhasesResult
import dev.cairn.benchmarks.report.Report
import dev.cairn.house.Campaign
import dev.cairn.house.needs
import dev.cairn.mpi.MpiRun
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.json.Json
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText

class ParallelBenchmarkSpec :
    FunSpec({
        test(
            "processes write and read both ways, and rank 0 alone tells",
        ).config(enabledOrReasonIf = needs { MpiRun.isThere }) {
            val count = Campaign.PROCESSES.limit(3)
            val directory = tempdir().toPath()
            val json = directory.resolve("figures.json")
            val svg = directory.resolve("rates.svg")
            val options = arrayOf("--dir", "$directory", "--pairs", "1", "--json", "$json", "--svg", "$svg")

            val printed =
                MpiRun.output(count, "dev.cairn.benchmarks.BenchmarksKt", "parallel", *options, "--local", "8K")

            printed.lines().count { "${8 * count} KiB on $count ranks, Cairn" in it } shouldBe 1
            val results = Json.decodeFromString<Report>(json.readText()).results
            results.filterIsInstance<PhasesResult>().map { it.rankCount to it.contestant } shouldContainExactly
                listOf(count to "Cairn", count to "a file per rank")
            svg.readText() shouldContain "</svg>"
            directory.listDirectoryEntries().sorted() shouldContainExactly listOf(json, svg)
        }
    })
