package dev.cairn.benchmarks

import dev.cairn.benchmarks.payload.Payload
import dev.cairn.benchmarks.report.CallResult
import dev.cairn.benchmarks.report.CostGrowthResult
import dev.cairn.benchmarks.report.DuelResult
import dev.cairn.benchmarks.report.FootprintResult
import dev.cairn.benchmarks.report.LimitResult
import dev.cairn.benchmarks.report.OpenTimeResult
import dev.cairn.benchmarks.report.Quartiles
import dev.cairn.benchmarks.report.RateResult
import dev.cairn.benchmarks.report.Report
import dev.cairn.benchmarks.report.Result
import dev.cairn.benchmarks.report.RouteResult
import dev.cairn.benchmarks.report.ScalingResult
import dev.cairn.benchmarks.report.TimeRatioResult
import dev.cairn.benchmarks.report.WritesResult
import dev.cairn.benchmarks.sections.Bench
import dev.cairn.benchmarks.sections.Scale
import dev.cairn.benchmarks.sections.compareStarts
import dev.cairn.benchmarks.sections.toolOnPath
import dev.cairn.house.OUTSIDE
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.json.Json
import kotlin.io.path.Path
import kotlin.io.path.createFile
import kotlin.io.path.deleteExisting
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readLines
import kotlin.io.path.readText

/** No time is asserted here: on a busy machine any time may come out. */
@Tags(OUTSIDE)
class BenchmarksSpec :
    FunSpec({
        val tiny =
            Scale(
                streamBytes = 1 shl 19,
                throttledBytes = 1 shl 18,
                largePiece = 1 shl 17,
                smallPiece = 1 shl 12,
                taskCount = 50,
                blockCount = 5,
                openTaskCounts = listOf(10, 20),
                rankCounts = listOf(40, 10),
                concentratedBytes = 1 shl 20,
                concentratedRanks = listOf(4),
                routedRanks = listOf(4),
                groupedRanks = 40,
                checkpointRanks = listOf(12),
                loopSide = 8,
                loopRounds = 3,
                stepCount = 50,
            )
        val directory = tempdir().toPath()

        fun resultsOf(section: Section): List<Result> {
            val results = mutableListOf<Result>()
            section.run(Bench(directory, tiny, pairCount = 1, results::add))
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

        test("the tasks section meets a bare channel and a file for each task, checks them and cleans up") {
            resultsOf(Section.TASKS).map { it.name } shouldContainExactly
                listOf(
                    "write 50 tasks of 56 bytes, against a bare channel",
                    "write 50 tasks of 56 bytes, against a file for each",
                    "read 50 tasks of 56 bytes, against a bare channel",
                    "read 50 tasks of 56 bytes, against a file for each",
                )
        }

        test("the memory section counts the chunks of an open multifile and cleans up") {
            val results = resultsOf(Section.MEMORY)

            results.filterIsInstance<FootprintResult>().map { it.usedChunks } shouldContainExactly listOf(50, 54)
            results.filterIsInstance<OpenTimeResult>().map { it.taskCount } shouldContainExactly listOf(10, 20)
        }

        test("the defrag section meets cp, checks both copies and cleans up") {
            resultsOf(Section.DEFRAG).map { it.name } shouldContainExactly
                listOf("defrag 524288 bytes in chunks of 131072, against cp")
        }

        test("the ranks section meets a file for each rank, compares the cost of few and many, and cleans up") {
            val results = resultsOf(Section.RANKS)

            results.map { it.name } shouldContainExactly
                listOf(
                    "40 ranks write 56 bytes each, against a file for each",
                    "10 ranks write 56 bytes each, against a file for each",
                    "cost per rank, 40 ranks against 10",
                )
            (results.last() as CostGrowthResult).growth.median shouldBeGreaterThan 0.0
        }

        test("the groups section has fewer writes and a smaller file where ranks write together, and cleans up") {
            val results = resultsOf(Section.GROUPS)

            results.map { it.name } shouldContainExactly
                listOf(
                    "40 ranks write 1024 bytes each in groups, against each for itself",
                    "40 ranks write 1024 bytes each in groups",
                    "40 ranks write 1024 bytes each for themselves",
                )
            val (together, alone) = results.filterIsInstance<WritesResult>()
            alone.writeCount shouldBeGreaterThan 40
            together.writeCount shouldBeLessThan 40
            alone.fileBytes shouldBeGreaterThan 40L * Scale.BLOCK_SIZE
            together.fileBytes shouldBeLessThan 40L * Scale.BLOCK_SIZE
        }

        test("the dump section starts the command, and cleans up") {
            resultsOf(Section.DUMP).map { it.name } shouldContainExactly
                listOf("sion dump of 50 tasks", "sion dump -a of 50 tasks")
        }

        test(
            "the commands section starts both commands, copies like the C library's tools that are there, and cleans up",
        ) {
            val (starts, copies) = resultsOf(Section.COMMANDS).partition { it is LimitResult }
            starts.map { it.name } shouldContainExactly listOf("sion --version", "cairn --version")

            copies.map { it.name.substringBefore(" of ") } shouldContainExactly
                listOf("cat", "split", "defrag").filter { toolOnPath("sion$it") != null }.map { "sion $it" }
        }

        test("the checkpoint section saves and restores on as many and on fewer ranks, checks and cleans up") {
            val size = "524288 bytes on 4 ranks"
            resultsOf(Section.CHECKPOINT).map { it.name } shouldContainExactly
                listOf(
                    "save $size, against bare channels",
                    "save $size, against ObjectOutputStream",
                    "save $size, against Kryo",
                    "restore $size, against bare channels",
                    "restore $size, against ObjectInputStream",
                    "restore $size, against Kryo",
                    "restore $size on 3 ranks, against the same ranks",
                )
        }

        test("the cores section goes up to a rank for each core, checks and cleans up") {
            val results = resultsOf(Section.CORES).filterIsInstance<ScalingResult>()
            results.map { it.rankCount }.distinct().last() shouldBe Runtime.getRuntime().availableProcessors()
            results.first { it.rankCount == 1 }.scaling shouldBe 1.0
            results.forEach { it.ratio.median shouldBeGreaterThan 0.0 }
        }

        test("the bound of a save cleans up") {
            Passes.main(arrayOf("$directory", "2", "4", "1"))
            directory.listDirectoryEntries() shouldBe emptyList()
        }

        test("Cairn's side of a contest saves and restores on other ranks, and checks") {
            val store = directory.resolve("contest.cairn")
            val small = listOf("--ranks", "3", "--restore-on", "2", "--rows", "96", "--columns", "8", "--rounds", "2")
            for (options in listOf(emptyList(), listOf("--behind", "--files", "2", "--keep-last", "3"))) {
                val arguments = small + options + listOf("--dir", "$store")
                Contest.commandLine().execute(*arguments.toTypedArray()) shouldBe 0
                store.toFile().deleteRecursively()
            }
        }

        test("the table section saves and restores columns and records, checks and cleans up") {
            val size = "2340 rows on 4 ranks"
            resultsOf(Section.TABLE).map { it.name } shouldContainExactly
                listOf("write as many bytes with bare channels, against Kryo") +
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
                    "save $size, against ObjectOutputStream",
                    "save $size",
                    "bytes on disk for each byte of the arrays",
                    "restore $size, against Kryo",
                    "restore $size, against ObjectInputStream",
                    "restore $size",
                    "save $shared",
                    "restore $shared",
                )
            results.filterIsInstance<RateResult>().forEach { it.megabytesPerSecond shouldBeGreaterThan 0.0 }
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
            val behind = "save 256 KiB in the background at 50 MB/s"
            val sent = "save 256 KiB through a dedicated rank at 50 MB/s"
            val locally = "save 256 KiB locally at 500 MB/s, drained at 50 MB/s"
            val results = resultsOf(Section.TIERS)
            results.map { it.name } shouldContainExactly
                costs("save 512 KiB in the background", "a copy") + costs("save 512 KiB locally", "bare files") +
                costs(behind, "a copy") + meanwhile(behind) + costs(sent, "a copy") + meanwhile(sent) +
                costs(locally, "bare files") + meanwhile(locally) +
                "save 256 KiB locally at 500 MB/s: with a copy on another host, against without"
            results.filterIsInstance<LimitResult>().forEach { it.cost.median shouldBeGreaterThan 1.0 }
        }

        test(
            "the concentrators section meets one writer and strided writes, checks all three and cleans up",
        ) {
            fun against(job: String) = listOf("one writer", "each for itself").map { "4 ranks write $job, against $it" }
            val results = resultsOf(Section.CONCENTRATORS)
            results.map { it.name } shouldContainExactly
                listOf("1 MiB in runs of 16 KiB", "1 MiB in runs of 1 KiB").flatMap(::against) +
                listOf(
                    "256 KiB in runs of 16 KiB at 200 MB/s",
                    "256 KiB in runs of 1 KiB at 200 MB/s",
                ).flatMap(::against)
            results.filterIsInstance<TimeRatioResult>().forEach { it.ratio.median shouldBeGreaterThan 0.0 }
        }

        test("the routes section saves directly, in groups and through concentrators, checks all and cleans up") {
            fun routes(job: String) =
                listOf(
                    "direct",
                    "in groups",
                    "through 1 concentrator",
                    "through 4 concentrators",
                    "through 4 concentrators, others in groups",
                ).map { "4 ranks save $job, $it" }
            val results = resultsOf(Section.ROUTES)
            results.map { it.name } shouldContainExactly
                listOf(
                    "1 MiB in runs of 1 KiB in memory",
                    "64 KiB in runs of 1 KiB in memory",
                    "256 KiB in runs of 1 KiB at 200 MB/s",
                    "16 KiB in runs of 1 KiB at 200 MB/s",
                ).flatMap(::routes)
            for (result in results.filterIsInstance<RouteResult>()) {
                result.saves.operationCount shouldBeGreaterThan 1
                result.restores.operationCount shouldBeGreaterThan 1
            }
        }

        test("the command columns writes as the section concentrators does in memory, and cleans up") {
            val json = directory.resolve("columns.json")
            Benchmarks.commandLine(tiny).execute(
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

        test("the command collectives times small calls of all ranks") {
            val json = directory.resolve("collectives.json")
            val options = listOf("--calls", "10", "--pairs", "1", "--dir", "$directory", "--json", "$json")
            Benchmarks.commandLine(tiny).execute("collectives", *options.toTypedArray()) shouldBe 0
            val results = Json.decodeFromString<Report>(json.readText()).results.filterIsInstance<CallResult>()
            results.map { it.name } shouldContainExactly
                listOf("broadcast", "gather", "allGather", "allReduce").map { "$it of 8 bytes, 4 ranks" }
            results.forEach { it.micros.median shouldBeGreaterThan 0.0 }
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
                    "12 ranks save, for each of 12",
                    "12 ranks restore",
                    "12 ranks restore, for each of 12",
                    "3 ranks restore what 12 saved",
                    "3 ranks restore what 12 saved, for each of 12",
                )
        }

        test("the startup section waits for the first step twice, with an archive and without, and cleans up") {
            val java = Path(System.getProperty("java.home"), "bin", "java")
            val classPath = System.getProperty("java.class.path")
            val archive = "-XX:SharedArchiveFile=${directory.resolve("missing.jsa")}"
            val results = mutableListOf<Result>()

            compareStarts(
                Bench(directory, tiny, pairCount = 1, results::add),
                listOf("$java", archive, "-cp", classPath),
            )

            results.map { it.name } shouldContainExactly
                listOf("from the launcher to the first step, against no archive")
            directory.listDirectoryEntries() shouldBe emptyList()
        }

        test("the startup section says how it is started, if it does not know the launcher") {
            shouldThrow<IllegalStateException> { resultsOf(Section.STARTUP) }.message shouldContain
                "examples/run bench --only startup"
        }

        test("larger runs of ranks can be left out, but not all") {
            tiny.withRanks(39).rankCounts shouldContainExactly listOf(10)
            Benchmarks.commandLine(tiny).execute("--ranks", "9", "--dir", "$directory") shouldBe 2
        }

        test("the command runs the section it is asked for and writes its figures as JSON") {
            val json = directory.resolve("figures.json")
            val arguments = arrayOf("--only", "tasks", "--pairs", "1", "--dir", "$directory", "--json", "$json")

            val exit = Benchmarks.commandLine(tiny).execute(*arguments)

            exit shouldBe 0
            directory.listDirectoryEntries() shouldContainExactly listOf(json)
            val report = Json.decodeFromString<Report>(json.readText())
            report.pairCount shouldBe 1
            report.results.size shouldBe 4
            (report.results.first() as DuelResult).oursSeconds.median shouldBeGreaterThan 0.0
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

        test("no baseline is longer than 30 lines") {
            val baselines = Path("src/main/kotlin/dev/cairn/benchmarks/baseline").listDirectoryEntries()

            baselines.filter { it.readLines().size > 30 } shouldBe emptyList()
            baselines.isEmpty() shouldBe false
        }
    })
