package dev.cairn.examples.bench

import kotlinx.serialization.json.Json
import picocli.CommandLine
import picocli.CommandLine.Command
import picocli.CommandLine.Model.CommandSpec
import picocli.CommandLine.Option
import picocli.CommandLine.ParameterException
import picocli.CommandLine.Spec
import java.nio.file.Path
import kotlin.io.path.writeText
import kotlin.system.exitProcess

/** The command `bench`: prints one line for each comparison, as soon as it is known. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = ["Compares multifiles with bare files, in alternating pairs, and prints medians with quartiles."],
    footer = ["", "Example: examples/run bench --only tasks --pairs 21"],
)
internal class Benchmarks(
    private val scale: Scale,
) : Runnable {
    @Option(
        names = ["--dir"],
        paramLabel = "DIR",
        description = ["Where the files go for a while (default: /dev/shm)."],
    )
    private var parent: Path? = null

    @Option(names = ["--pairs"], defaultValue = "15", paramLabel = "N", description = ["Pairs of runs (default: 15)."])
    private var pairCount: Int = 0

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

    @Option(names = ["--json"], paramLabel = "FILE", description = ["Writes all figures to this file, too."])
    private var json: Path? = null

    @Spec private lateinit var command: CommandSpec

    override fun run() {
        requireNumbers()
        val parent = this.parent ?: Scratch.parentFor(scale.bytesOnDisk, ::println)
        val report = Scratch.inside(parent).use { measure(it.directory) }
        json?.writeText(prettyJson.encodeToString(report))
    }

    private fun requireNumbers() {
        requireAtLeast("--pairs", pairCount, least = 1)
        requireAtLeast("--ranks", mostRanks, scale.rankCounts.min())
    }

    private fun requireAtLeast(
        option: String,
        value: Int,
        least: Int,
    ) {
        if (value < least) throw ParameterException(command.commandLine(), "$option is at least $least, not $value.")
    }

    private fun measure(directory: Path): Report {
        val machine = Machine.holding(directory)
        val results = mutableListOf<Result>()
        val bench =
            Bench(directory, scale.withRanks(mostRanks), pairCount) { result ->
                println("%-60s %s".format(result.name, result.describe()))
                results += result
            }
        println(machine)
        println(
            "$pairCount pairs after ${Duel.WARM_UP_PAIRS} to warm up, order alternating; " +
                "only checkpoints on a disk are forced; " +
                "ratio = our rate / the bare rate, median [quartiles]",
        )
        sections().forEach { it.run(bench) }
        return Report(machine, pairCount, results)
    }

    /** The others need more memory than these are promised to run with, so they have runs of their own. */
    private fun sections() = only?.let(::listOf) ?: listOf(Section.STREAM, Section.TASKS, Section.MEMORY)

    companion object {
        private val prettyJson = Json { prettyPrint = true }

        fun commandLine(scale: Scale): CommandLine =
            CommandLine(Benchmarks(scale)).setCaseInsensitiveEnumValuesAllowed(true)
    }
}

internal fun main(args: Array<String>) {
    exitProcess(Benchmarks.commandLine(Scale.FULL).execute(*args))
}
