package dev.cairn.sion.fuzz

import dev.cairn.house.Campaign
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.random.Random

/**
 * Hostile files. `-Dcairn.seed=N` says where to begin. With `-Dcairn.fuzz.update=true` what was learned on the way goes
 * into the corpus.
 */
class FuzzSpec :
    FunSpec({
        test("the corpus reaches 95 of 100 lines of the format and the layout, none left out") {
            val coverage = LineCoverage(Corpus.MULTIFILES.inputs().values)

            PACKAGES.forEach { name ->
                val lines = coverage.lines { it.startsWith("$name.") }
                println("$name: $lines; missed ${lines.missed}")
                lines.percent shouldBeGreaterThanOrEqual 95.0
            }
            READERS.forEach { println("$it: ${coverage.lines { name -> name.substringBefore('$') == it }}") }
        }

        test("whatever the bytes, reading ends in a refusal or at the last byte") {
            val executions = Campaign.FUZZED_FILES.count.toLong()
            val seed = Random(Campaign.seed).nextLong(1, 1L shl 31)
            val isUpdate = System.getProperty("cairn.fuzz.update").toBoolean()
            val start = if (isUpdate) ::unpackAll else Corpus.MULTIFILES::unpack
            val run = FuzzRun("campaign", start, executions, seed)
            println("$executions executions with -Dcairn.seed=${Campaign.seed} in ${run.directory}")

            val report = run.run()
            println(report.outcomes)
            report.finding shouldBe null
            report.outcomes.getValue(ReaderTarget.READ_THROUGH) shouldBeGreaterThan executions / 20
            if (isUpdate) Corpus.MULTIFILES.replace(run.minimized())
        }

        test("the corpus of logs reaches 95 of 100 lines of their reader") {
            val lines = LineCoverage(Corpus.LOGS.inputs().values, LogTarget::class).lines(::readsLogs)
            println("logs: $lines; missed ${lines.missed}")
            lines.percent shouldBeGreaterThanOrEqual 95.0
        }

        test("whatever the bytes, a log has a verdict") {
            val executions = Campaign.FUZZED_FILES.count.toLong()
            val seed = Random(Campaign.seed).nextLong(1, 1L shl 31)
            val isUpdate = System.getProperty("cairn.fuzz.update").toBoolean()
            val start = if (isUpdate) ::unpackLogs else Corpus.LOGS::unpack
            val run = FuzzRun("logs", start, executions, seed, target = LogTarget::class)
            println("$executions executions with -Dcairn.seed=${Campaign.seed} in ${run.directory}")

            val report = run.run()
            println(report.outcomes)
            report.finding shouldBe null
            val whole = report.outcomes.getValue("Sealed") + report.outcomes.getValue("Open")
            whole shouldBeGreaterThan executions / 100
            if (isUpdate) Corpus.LOGS.replace(run.minimized())
        }

        test("the corpus of NetCDF files reaches 95 of 100 lines of their reader") {
            val inputs = Corpus.NETCDF_FILES.inputs().values
            val lines = LineCoverage(inputs, NetcdfTarget::class).lines(::readsNetcdf)
            println("NetCDF files: $lines; missed ${lines.missed}")
            lines.percent shouldBeGreaterThanOrEqual 95.0
        }

        test("whatever the bytes, a NetCDF file is read or refused") {
            val executions = Campaign.FUZZED_FILES.count.toLong()
            val seed = Random(Campaign.seed).nextLong(1, 1L shl 31)
            val isUpdate = System.getProperty("cairn.fuzz.update").toBoolean()
            val start = if (isUpdate) ::unpackNetcdf else Corpus.NETCDF_FILES::unpack
            val run = FuzzRun("netcdf", start, executions, seed, target = NetcdfTarget::class)
            println("$executions executions with -Dcairn.seed=${Campaign.seed} in ${run.directory}")

            val report = run.run()
            println(report.outcomes)
            report.finding shouldBe null
            report.outcomes.getValue(ReaderTarget.READ_THROUGH) shouldBeGreaterThan executions / 100
            if (isUpdate) Corpus.NETCDF_FILES.replace(run.minimized())
        }

        test("the corpus of PnetCDF's logs reaches 90 of 100 lines of their reader") {
            val lines = LineCoverage(Corpus.BURST_LOGS.inputs().values, BurstLogTarget::class).lines(::readsBurstLogs)
            println("PnetCDF's logs: $lines; missed ${lines.missed}")
            // Shared files are larger than any input.
            lines.percent shouldBeGreaterThanOrEqual 90.0
        }

        test("whatever the bytes, a log of PnetCDF has a verdict") {
            val executions = Campaign.FUZZED_FILES.count.toLong()
            val seed = Random(Campaign.seed).nextLong(1, 1L shl 31)
            val isUpdate = System.getProperty("cairn.fuzz.update").toBoolean()
            val start = if (isUpdate) ::unpackBurstLogs else Corpus.BURST_LOGS::unpack
            val run = FuzzRun("burst-logs", start, executions, seed, target = BurstLogTarget::class)
            println("$executions executions with -Dcairn.seed=${Campaign.seed} in ${run.directory}")

            val report = run.run()
            println(report.outcomes)
            report.finding shouldBe null
            val usable = listOf("Whole", "Alone", "Damaged").sumOf { report.outcomes[it] ?: 0 }
            usable shouldBeGreaterThan executions / 20
            if (isUpdate) Corpus.BURST_LOGS.replace(run.minimized())
        }
    })

private fun unpackAll(directory: Path) {
    Corpus.MULTIFILES.unpack(directory)
    Seeds.unpack(directory)
}

private fun unpackLogs(directory: Path) {
    Corpus.LOGS.unpack(directory)
    LogSeeds.unpack(directory)
}

private fun unpackNetcdf(directory: Path) {
    Corpus.NETCDF_FILES.unpack(directory)
    NetcdfSeeds.unpack(directory)
}

private fun unpackBurstLogs(directory: Path) {
    Corpus.BURST_LOGS.unpack(directory)
    BurstLogSeeds.unpack(directory)
}

private val PACKAGES = listOf("dev.cairn.sion.format", "dev.cairn.sion.layout")

/** What reads, above the two packages. */
private val READERS =
    listOf("FileHead", "PhysicalFile", "FileSet", "TaskStream")
        .map { "file.$it" }
        .plus(listOf("GlobalView", "RecordScanner", "RecordView", "MultifileMeta", "BuddySearch"))
        .plus(listOf("SalvageSearch", "UnclosedFile").map { "salvage.$it" })
        .plus(
            listOf("MetaTwoSearch", "RecordTrace", "TaskTrace", "MetaTwoFragment", "RecordBorders").map {
                "salvage.search.$it"
            },
        ).plus(listOf("cursor.ChunkCursor", "cursor.KeyCursor", "zstd.ZstdInput"))
        .map { "dev.cairn.sion.$it" }

/** Other classes of the package write logs as well, or are messages. */
private fun readsLogs(name: String) = name.substringBefore('$').removePrefix("dev.cairn.sion.log.") in READERS_OF_LOGS

private val READERS_OF_LOGS =
    listOf("FoundSegment", "SegmentWalk", "SealSearch", "LogScan", "LogProgress", "Cancellations", "HeadReader") +
        listOf("ReadAhead", "RecordKind", "PayloadFrames", "LogCursor", "LogReader", "LogReplay", "RankReplay")

private fun readsNetcdf(name: String) =
    name.substringBefore('$').removePrefix("dev.cairn.sion.netcdf.") in READERS_OF_NETCDF

private val READERS_OF_NETCDF =
    listOf("HeaderReader", "HeaderFields", "OpenHeader", "Overlaps", "NetcdfReader", "CellReader")

/** Other classes of the package write logs as well, replay them, or are messages. */
private fun readsBurstLogs(name: String) =
    name.substringBefore('$').removePrefix("dev.cairn.sion.pnetcdf.") in READERS_OF_BURST_LOGS

private val READERS_OF_BURST_LOGS =
    listOf("MetaFieldReader", "EntryReader", "BurstScan", "PairReader", "LogWindow")
