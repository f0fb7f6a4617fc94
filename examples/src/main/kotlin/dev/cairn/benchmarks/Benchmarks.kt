package dev.cairn.benchmarks

import dev.cairn.benchmarks.parallel.ParallelCommand
import dev.cairn.benchmarks.parallel.SizeConverter
import dev.cairn.benchmarks.report.Machine
import dev.cairn.benchmarks.report.Report
import dev.cairn.benchmarks.report.ReportingCommand
import dev.cairn.benchmarks.report.Result
import dev.cairn.benchmarks.sections.Bench
import dev.cairn.benchmarks.sections.CollectivesCommand
import dev.cairn.benchmarks.sections.ColumnsCommand
import dev.cairn.benchmarks.sections.RecordsCommand
import dev.cairn.benchmarks.sections.Scale
import dev.cairn.benchmarks.sections.main
import kotlinx.serialization.json.Json
import picocli.CommandLine
import picocli.CommandLine.Command
import picocli.CommandLine.Model.CommandSpec
import picocli.CommandLine.Option
import picocli.CommandLine.ParameterException
import picocli.CommandLine.ScopeType.INHERIT
import picocli.CommandLine.Spec
import java.nio.file.Path
import kotlin.io.path.writeText
import kotlin.system.exitProcess

/** The command `bench`: prints one line for each comparison, as soon as it is known. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = ["Compares multifiles with bare files, in alternating pairs, and prints medians with quartiles."],
    subcommands = [ParallelCommand::class, ColumnsCommand::class, RecordsCommand::class, CollectivesCommand::class],
    footer = ["", "Example: examples/run bench --only tasks --pairs 21"],
)
internal class Benchmarks(private val scale: Scale) :
    ReportingCommand,
    Runnable {
    @Option(
        names = ["--dir"],
        scope = INHERIT,
        paramLabel = "DIR",
        description = ["Where the files go for a while (default: /dev/shm)."],
    )
    private var parent: Path? = null

    @Option(
        names = ["--pairs"],
        scope = INHERIT,
        defaultValue = "15",
        paramLabel = "N",
        description = ["Pairs of runs (default: 15)."],
    )
    override var pairCount: Int = 0
        private set

    @Option(
        names = ["--only"],
        paramLabel = "NAME",
        description = ["Only this section: \${COMPLETION-CANDIDATES} (default: stream, tasks, memory)."],
    )
    private var only: Section? = null

    @Option(
        names = ["--ranks"],
        paramLabel = "N",
        description = ["Leaves larger runs of the section ranks out: a disk takes minutes to delete very many files."],
    )
    private var mostRanks: Int = Int.MAX_VALUE

    @Option(
        names = ["--throttled"],
        paramLabel = "SIZE",
        description = ["What the sections tiers, concentrators and routes write on a throttled store (default: 64M)."],
    )
    private var throttledBytes: Long? = null

    @Option(
        names = ["--json"],
        scope = INHERIT,
        paramLabel = "FILE",
        description = ["Writes all figures to this file, too."],
    )
    private var json: Path? = null

    @Spec private lateinit var command: CommandSpec

    override fun run() {
        requireAtLeast("--ranks", mostRanks, scale.rankCounts.min())
        val warmUpPairs = sections().maxOf { it.warmUpPairs }
        val asked = scale.withRanks(mostRanks).withThrottled(throttledBytes)
        report(asked.bytesOnDisk, warmUpPairs) { directory, found ->
            val bench = Bench(directory, asked, pairCount, found, warmUpPairs)
            sections().forEach { it.run(bench) }
        }
    }

    override fun report(bytesOnDisk: Long, warmUpCount: Int, measure: (Path, (Result) -> Unit) -> Unit): Report {
        requireAtLeast("--pairs", pairCount, least = 1)
        val parent = this.parent ?: Scratch.parentFor(bytesOnDisk, ::println)
        val report = Scratch.inside(parent).use { reportFrom(it.directory, warmUpCount, measure) }
        json?.writeText(prettyJson.encodeToString(report))
        return report
    }

    private fun requireAtLeast(option: String, value: Int, least: Int) {
        if (value < least) throw ParameterException(command.commandLine(), "$option is at least $least, not $value.")
    }

    private fun reportFrom(directory: Path, warmUpCount: Int, measure: (Path, (Result) -> Unit) -> Unit): Report {
        val machine = Machine.holding(directory)
        println(machine)
        println(
            "$pairCount pairs after $warmUpCount to warm up, order alternating; " +
                "only checkpoints and groups on a disk are forced; " +
                "ratio = our rate / the other's, median [quartiles]",
        )
        val results = mutableListOf<Result>()
        measure(directory) { result ->
            println("%-60s %s".format(result.name, result.describe()))
            results += result
        }
        return Report(machine, pairCount, results)
    }

    /** The other sections need more memory than the command requires for these, so they have runs of their own. */
    private fun sections() = only?.let(::listOf) ?: listOf(Section.STREAM, Section.TASKS, Section.MEMORY)

    companion object {
        private val prettyJson = Json { prettyPrint = true }

        fun commandLine(scale: Scale): CommandLine =
            CommandLine(Benchmarks(scale))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Long::class.javaObjectType, SizeConverter())
                .registerConverter(Long::class.javaPrimitiveType, SizeConverter())
    }
}

internal fun main(args: Array<String>) {
    exitProcess(Benchmarks.commandLine(Scale.FULL).execute(*args))
}
