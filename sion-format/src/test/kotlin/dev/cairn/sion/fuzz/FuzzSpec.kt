package dev.cairn.sion.fuzz

import dev.cairn.house.ALL
import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.needs
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.random.Random
import kotlin.reflect.KClass

/**
 * Hostile files. `-Dcairn.seed=N` says where to begin. With `-Dcairn.fuzz.update=true` what was learned on the way goes
 * into the corpus.
 */
class FuzzSpec :
    FunSpec({
        test("the corpus reaches 95 of 100 lines of the format and the layout, none left out") {
            val coverage = LineCoverage(Corpus.MULTIFILES.inputs().values)

            BYTES.forEach { name ->
                val lines = coverage.lines { it == name || it.startsWith("$name.") }
                println("$name: $lines; missed ${lines.missed}")
                lines.percent shouldBeGreaterThanOrEqual 95.0
            }
            READERS.forEach { println("$it: ${coverage.lines { name -> name.substringBefore('$') == it }}") }
        }

        test("the corpus of logs reaches 95 of 100 lines of their reader") {
            val lines = LineCoverage(Corpus.LOGS.inputs().values, LogTarget::class).lines(::readsLogs)
            println("logs: $lines; missed ${lines.missed}")
            lines.percent shouldBeGreaterThanOrEqual 95.0
        }

        test("the corpus of NetCDF files reaches 95 of 100 lines of their reader") {
            val inputs = Corpus.NETCDF_FILES.inputs().values
            val lines = LineCoverage(inputs, NetcdfTarget::class).lines(::readsNetcdf)
            println("NetCDF files: $lines; missed ${lines.missed}")
            lines.percent shouldBeGreaterThanOrEqual 95.0
        }

        test("the corpus of PnetCDF's logs reaches 90 of 100 lines of their reader") {
            val lines = LineCoverage(Corpus.BURST_LOGS.inputs().values, BurstLogTarget::class).lines(::readsBurstLogs)
            println("PnetCDF's logs: $lines; missed ${lines.missed}")
            // Shared files are larger than any input.
            lines.percent shouldBeGreaterThanOrEqual 90.0
        }

        val chosen = Campaign.FUZZED_READERS.firstOf(FuzzedReader.entries)
        for (reader in FuzzedReader.entries) {
            test("whatever the bytes, ${reader.promise}").config(
                enabledOrReasonIf = needs { Need.CAMPAIGN.given(reader in chosen) },
            ) {
                val executions = Campaign.FUZZED_FILES.count.toLong()
                val seed = Random(Campaign.seed).nextLong(1, 1L shl 31)
                val isUpdate = System.getProperty("cairn.fuzz.update").toBoolean()
                val start = if (isUpdate) reader::unpackAll else reader.unpackPart(executions)
                val run = FuzzRun(reader.name.lowercase(), start, executions, seed, target = reader.target)
                println("$executions executions with -Dcairn.seed=${Campaign.seed} in ${run.directory}")

                val report = run.run()
                println(report.outcomes)
                report.finding shouldBe null
                reader.readWhole(report.outcomes) shouldBeGreaterThan executions / reader.leastShare
                if (isUpdate) reader.corpus.replace(run.minimized())
            }
        }
    })

/**
 * What reads hostile files of one kind, and promises something of all of them.
 *
 * @property whole the outcomes of files that it read, which must be one of [leastShare] at least
 */
private enum class FuzzedReader(
    val promise: String,
    val corpus: Corpus,
    val target: KClass<*>,
    private val seeds: (Path) -> Unit,
    private val whole: List<String>,
    val leastShare: Int,
) {
    MULTIFILES(
        "reading a multifile ends in a refusal or at the last byte",
        Corpus.MULTIFILES,
        ReaderTarget::class,
        Seeds::unpack,
        listOf(ReaderTarget.READ_THROUGH),
        20,
    ),
    LOGS("a log has a verdict", Corpus.LOGS, LogTarget::class, LogSeeds::unpack, listOf("Open"), 100),
    NETCDF_FILES(
        "a NetCDF file is read or refused",
        Corpus.NETCDF_FILES,
        NetcdfTarget::class,
        NetcdfSeeds::unpack,
        listOf(ReaderTarget.READ_THROUGH),
        100,
    ),
    BURST_LOGS(
        "a log of PnetCDF has a verdict",
        Corpus.BURST_LOGS,
        BurstLogTarget::class,
        BurstLogSeeds::unpack,
        listOf("Whole", "Alone", "Damaged"),
        20,
    ),
    ;

    fun unpackAll(directory: Path) {
        corpus.unpack(directory, ALL)
        seeds(directory)
    }

    /** Leaves four of five [executions] to files that the fuzzer makes; the specs of coverage read the whole corpus. */
    fun unpackPart(executions: Long): (Path) -> Unit = { corpus.unpack(it, most = (executions / 5).toInt()) }

    fun readWhole(outcomes: Map<String, Long>): Long = whole.sumOf { outcomes[it] ?: 0 }
}

private val BYTES = listOf("format", "layout", "field.FileReader").map { "dev.cairn.sion.$it" }

/** What else reads. */
private val READERS =
    listOf("FileHead", "PhysicalFile", "FileSet", "TaskStream")
        .map { "file.$it" }
        .plus(listOf("GlobalView", "RecordScanner", "RecordView", "MultifileMeta", "BuddySearch"))
        .plus(listOf("SalvageSearch", "UnclosedFile").map { "salvage.$it" })
        .plus(
            listOf("MetaTwoSearch", "RecordTrace", "TaskTrace", "MetaTwoFragment", "RecordBorders").map {
                "salvage.search.$it"
            },
        ).plus(listOf("field.FieldReader", "cursor.ChunkCursor", "cursor.KeyCursor", "zstd.ZstdInput"))
        .map { "dev.cairn.sion.$it" }

/** Other classes write logs as well, or are messages. */
private fun readsLogs(name: String) = name.substringBefore('$').removePrefix("dev.cairn.sion.log.") in READERS_OF_LOGS

private val READERS_OF_LOGS =
    listOf(
        "LogWalk",
        "SegmentReader",
        "dev.cairn.sion.file.FileWindow",
        "dev.cairn.sion.field.MemoryReader",
        "PayloadFrames",
        "LogCursor",
        "LogReader",
    )

private fun readsNetcdf(name: String) =
    name.substringBefore('$').removePrefix("dev.cairn.sion.netcdf.") in READERS_OF_NETCDF

private val READERS_OF_NETCDF =
    listOf(
        "HeaderReader",
        "dev.cairn.sion.field.FileReader",
        "HeaderFields",
        "OpenHeader",
        "Overlaps",
        "NetcdfReader",
        "CellReader",
    )

/** Other classes of the package write logs as well, replay them, or are messages. */
private fun readsBurstLogs(name: String) =
    name.substringBefore('$').removePrefix("dev.cairn.sion.pnetcdf.") in READERS_OF_BURST_LOGS

private val READERS_OF_BURST_LOGS =
    listOf("EntryReader", "BurstScan", "PairReader", "LogWindow", "dev.cairn.sion.file.FileWindow")
