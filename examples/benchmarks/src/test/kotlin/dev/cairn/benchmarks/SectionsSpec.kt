package dev.cairn.benchmarks

import dev.cairn.benchmarks.report.Comparison
import dev.cairn.benchmarks.report.Figure
import dev.cairn.benchmarks.report.Report
import dev.cairn.benchmarks.report.Result
import dev.cairn.benchmarks.sections.Bench
import dev.cairn.benchmarks.sections.toolOnPath
import dev.cairn.house.OUTSIDE
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThanOrEqual
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import kotlinx.serialization.json.Json
import picocli.CommandLine
import kotlin.io.path.deleteExisting
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText

/** No time is asserted here: on a busy machine any time may come out. */
@Tags(OUTSIDE)
class SectionsSpec :
    FunSpec({
        val directory = tempdir().toPath()

        fun resultsOf(section: Section): List<Result> {
            val results = mutableListOf<Result>()
            section.run(Bench(directory, TINY, pairCount = 1, results::add))
            directory.listDirectoryEntries() shouldBe emptyList()
            return results
        }

        test("the stream section writes and reads by large and by small pieces, checks them and cleans up") {
            resultsOf(Section.STREAM).map { it.name } shouldContainExactly
                listOf(
                    "write a stream by 131072 bytes",
                    "read a stream by 131072 bytes",
                    "write a stream by 4096 bytes",
                    "read a stream by 4096 bytes",
                )
        }

        test("the memory section opens a multifile and cleans up") {
            resultsOf(Section.MEMORY).map { it.name } shouldContainExactly listOf("open with 50 tasks")
        }

        test("the defrag section meets cp, checks both copies and cleans up") {
            resultsOf(Section.DEFRAG).map { it.name } shouldContainExactly
                listOf("defrag 524288 bytes in chunks of 131072, against cp")
        }

        test("the ranks section meets a file for each rank, and cleans up") {
            resultsOf(Section.RANKS).map { it.name } shouldContainExactly
                listOf(40, 10).map { "$it ranks write 56 bytes each, against a file for each" }
        }

        test("the collectives section compares calls of many ranks and of few") {
            resultsOf(Section.COLLECTIVES).map { it.name } shouldContainExactly
                listOf("barrier", "gather of 8 bytes", "broadcast", "exScan", "allReduce").map {
                    "$it of 12 ranks, against as many calls of 3"
                }
        }

        test("the groups section writes together and alone, checks and cleans up") {
            resultsOf(Section.GROUPS).map { it.name } shouldContainExactly
                listOf("40 ranks write 1024 bytes each in groups, against each for itself")
        }

        test("the dump section starts the command, and cleans up") {
            resultsOf(Section.DUMP).map { it.name } shouldContainExactly
                listOf("sion dump of 50 tasks", "sion dump -a of 50 tasks")
        }

        test(
            "the commands section starts both commands, copies like the C library's tools that are there, and cleans up",
        ) {
            val (starts, copies) = resultsOf(Section.COMMANDS).partition { it is Figure }
            starts.map { it.name } shouldContainExactly listOf("sion --version", "cairn --version")

            copies.map { it.name.substringBefore(" of ") } shouldContainExactly
                listOf("cat", "split", "defrag").filter { toolOnPath("sion$it") != null }.map { "sion $it" }
        }

        test("the checkpoint section saves and restores on as many and on fewer ranks, checks and cleans up") {
            val size = "524288 bytes on 4 ranks"
            resultsOf(Section.CHECKPOINT).map { it.name } shouldContainExactly
                listOf(
                    "save $size, against bare channels",
                    "save $size, against object streams",
                    "save $size, against Kryo",
                    "restore $size, against bare channels",
                    "restore $size, against object streams",
                    "restore $size, against Kryo",
                    "restore $size on 3 ranks, against the same ranks",
                )
        }

        test("the cores section goes up to a rank for each core, checks and cleans up") {
            fun rates(job: String) = listOf(job, "$job: scaling")
            val most = Runtime.getRuntime().availableProcessors()
            val names = resultsOf(Section.CORES).map { it.name }
            names.take(4) shouldContainExactly listOf("save", "restore").flatMap { rates("1 ranks $it") }
            names.takeLast(4) shouldContainExactly listOf("save", "restore").flatMap { rates("$most ranks $it") }
        }

        test("the bound of a save cleans up") {
            Passes.main(arrayOf("$directory", "2", "4", "1"))
            directory.listDirectoryEntries() shouldBe emptyList()
        }

        test("Cairn's side of a contest saves and restores on other ranks, and checks") {
            val store = directory.resolve("contest.cairn")
            val small = listOf("--ranks", "3", "--restore-on", "2", "--rows", "96", "--columns", "8", "--rounds", "2")
            for (options in listOf(emptyList(), listOf("--behind", "--files", "2"))) {
                val arguments = small + options + listOf("--dir", "$store")
                CommandLine(Contest()).execute(*arguments.toTypedArray()) shouldBe 0
                store.toFile().deleteRecursively()
            }
        }

        test("the table section saves and restores columns and records, checks and cleans up") {
            val size = "2340 rows on 4 ranks"
            resultsOf(Section.TABLE).map { it.name } shouldContainExactly
                listOf("columns", "records").flatMap {
                    listOf("save $size as $it, against Kryo", "restore $size as $it, against Kryo")
                }
        }

        test(
            "the values section saves and restores arrays inside values in hardly more than their bytes, and cleans up",
        ) {
            val size = "131072 bytes in values of 4 ranks"
            val shared = "131072 bytes in a value that all 4 ranks have"
            val results = resultsOf(Section.VALUES)
            results.map { it.name } shouldContainExactly
                listOf(
                    "save $size, against Kryo",
                    "save $size, against object streams",
                    "save $size",
                    "bytes on disk for each byte of the arrays",
                    "restore $size, against Kryo",
                    "restore $size, against object streams",
                    "restore $size",
                    "save $shared",
                    "restore $shared",
                )
            results.filterIsInstance<Figure>().forEach { it.value.median shouldBeGreaterThan 0.0 }
        }

        test("the tiers section saves in the background and locally, in memory and throttled, checks and cleans up") {
            fun costs(job: String, bare: String) =
                listOf(
                    "saveAsync, against $bare",
                    "in Cairn, against $bare",
                    "in Cairn, against a whole save",
                ).map { "$job: $it" }

            fun meanwhile(job: String) =
                listOf("a step, against one without", "until committed, against bytes / rate").map { "$job: $it" }
            val behind = "save 512 KiB in the background at 50 MB/s"
            val sent = "save 512 KiB through a dedicated rank at 50 MB/s"
            val locally = "save 512 KiB locally at 500 MB/s, drained at 50 MB/s"
            val results = resultsOf(Section.TIERS)
            results.map { it.name } shouldContainExactly
                costs("save 512 KiB in the background", "a copy") + costs("save 512 KiB locally", "bare files") +
                costs(behind, "a copy") + meanwhile(behind) + costs(sent, "a copy") + meanwhile(sent) +
                costs(locally, "bare files") + meanwhile(locally) +
                "save 512 KiB locally at 500 MB/s: with a copy on another host, against without"
            results.filterIsInstance<Figure>().forEach { it.value.median shouldBeGreaterThan 1.0 }
        }

        test(
            "the concentrators section meets one writer and strided writes, checks all three and cleans up",
        ) {
            fun against(job: String) = listOf("one writer", "each for itself").map { "4 ranks write $job, against $it" }
            val results = resultsOf(Section.CONCENTRATORS)
            results.map { it.name } shouldContainExactly
                listOf("1 MiB in runs of 16 KiB", "1 MiB in runs of 1 KiB").flatMap(::against) +
                listOf(
                    "512 KiB in runs of 16 KiB at 200 MB/s",
                    "512 KiB in runs of 1 KiB at 200 MB/s",
                ).flatMap(::against)
            results.filterIsInstance<Comparison>().forEach { it.ratio.median shouldBeGreaterThan 0.0 }
        }

        test("the output section waits and flushes beside bare files and one writer, and cleans up") {
            val job = "4 ranks append 8 records of 64 KiB in runs of 16 KiB"
            resultsOf(Section.OUTPUT).map { it.name } shouldContainExactly
                listOf(
                    "$job: what they wait, against bare files there",
                    "$job: what they wait, against one writer",
                    "$job: the flush, against one writer",
                    "put the same bytes into a log, 1 KiB at once, against 1 MiB",
                )
        }

        test("the command columns writes as the section concentrators does in memory, and cleans up") {
            val json = directory.resolve("columns.json")
            Benchmarks.commandLine(TINY).execute(
                "columns",
                "--total",
                "1M",
                "--pairs",
                "1",
                "--dir",
                "$directory",
                "--json",
                "$json",
            ) shouldBe 0
            directory.listDirectoryEntries() shouldContainExactly listOf(json)
            Json.decodeFromString<Report>(json.readText()).results.map { it.name } shouldContainExactly
                listOf("1 MiB in runs of 16 KiB", "1 MiB in runs of 1 KiB").flatMap { job ->
                    listOf("one writer", "each for itself").map { "4 ranks write $job, against $it" }
                }
            json.deleteExisting()
        }

        test("the loop section compares declared state with plain one, times idle steps, and cleans up") {
            resultsOf(Section.LOOP).map { it.name } shouldContainExactly
                listOf(
                    "declared scalars, against fields",
                    "a declared array's data, against an array",
                    "a declared array by indices, against an array",
                    "the same by Long indices",
                    "an idle step, 1 ranks",
                    "an idle step, 8 ranks",
                )
        }

        test("the many section saves and restores on very many ranks, and cleans up") {
            resultsOf(Section.MANY).map { it.name } shouldContainExactly
                listOf(
                    "12 ranks save",
                    "12 ranks restore",
                    "3 ranks restore what 12 saved",
                )
        }

        test("the objects section saves and restores a graph and rows beside three libraries, checks and cleans up") {
            val peers = listOf("Kryo", "Fory", "object streams")
            resultsOf(Section.OBJECTS).map { it.name } shouldContainExactly
                listOf("1000 objects with 10 references each", "1000 rows with 2 references each").flatMap { objects ->
                    listOf("save", "restore").flatMap { job -> peers.map { "$job $objects, against $it" } } +
                        "bytes of $objects, against the smallest"
                }
        }

        test("the one-process section saves a small state in few bytes, checks it and cleans up") {
            val (cost, size) = resultsOf(Section.ONE_PROCESS)
            cost.name shouldStartWith "one process saves 4 KiB, a stream and an output"
            size.name shouldBe "one process saves 4 KiB, a stream and an output: its files"
            (size as Figure).value.upper shouldBeLessThanOrEqual 64.0
        }
    })
