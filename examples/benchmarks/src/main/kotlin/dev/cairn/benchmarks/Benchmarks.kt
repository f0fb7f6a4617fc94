package dev.cairn.benchmarks

import dev.cairn.benchmarks.parallel.ColumnsCommand
import dev.cairn.benchmarks.parallel.ParallelCommand
import dev.cairn.benchmarks.report.Machine
import dev.cairn.benchmarks.report.Report
import dev.cairn.benchmarks.report.ReportingCommand
import dev.cairn.benchmarks.report.Result
import dev.cairn.benchmarks.report.SizeConverter
import dev.cairn.benchmarks.sections.Bench
import dev.cairn.benchmarks.sections.Scale
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
    subcommands = [ParallelCommand::class, ColumnsCommand::class],
    footer = ["", "Example: examples/bench --only tasks --pairs 21"],
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
        names = ["--throttled"],
        paramLabel = "SIZE",
        description = ["What the sections tiers, concentrators and output write on a throttled store (default: 64M)."],
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
        val warmUpPairs = sections().maxOf { it.warmUpPairs }
        val asked = throttledBytes?.let { scale.copy(throttledBytes = it) } ?: scale
        report(asked.bytesOnDisk, warmUpPairs) { directory, found ->
            val bench = Bench(directory, asked, pairCount, found, warmUpPairs)
            sections().forEach { it.run(bench) }
        }
    }

    override fun report(bytesOnDisk: Long, warmUpCount: Int, measure: (Path, (Result) -> Unit) -> Unit) {
        if (pairCount < 1) throw ParameterException(command.commandLine(), "--pairs is at least 1, not $pairCount.")
        val parent = this.parent ?: Scratch.parentFor(bytesOnDisk, ::println)
        val report = Scratch.inside(parent).use { reportFrom(it.directory, warmUpCount, measure) }
        json?.writeText(prettyJson.encodeToString(report))
    }

    private fun reportFrom(directory: Path, warmUpCount: Int, measure: (Path, (Result) -> Unit) -> Unit): Report {
        val machine = Machine.holding(directory)
        println(machine)
        println(
            "$pairCount pairs after $warmUpCount to warm up, order alternating; " +
                "on a disk, checkpoints, groups and one process are forced; " +
                "ratio = our rate / the other's, time ratio = our time / the other's, median [quartiles]",
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
    exitProcess(Benchmarks.commandLine(Scale()).execute(*args))
}
