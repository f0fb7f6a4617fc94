package dev.cairn.benchmarks.parallel

import dev.cairn.benchmarks.report.ReportingCommand
import dev.cairn.benchmarks.sections.toolOnPath
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.broadcastText
import dev.cairn.ranks.launchedRank
import dev.cairn.ranks.launchedRankCount
import picocli.CommandLine.Command
import picocli.CommandLine.Model.CommandSpec
import picocli.CommandLine.Option
import picocli.CommandLine.ParameterException
import picocli.CommandLine.ParentCommand
import picocli.CommandLine.Spec
import java.nio.file.Path

/** The command `bench parallel`. Under a launcher each process runs it as one rank, and only rank 0 prints. */
@Command(
    name = "parallel",
    mixinStandardHelpOptions = true,
    description = [
        "Ranks write and read in parallel, in turn: in a multifile, in a file for each rank, and, if ranks are " +
            "processes and it is on the PATH, by SIONlib's partest.",
    ],
    footer = ["", "Example: examples/bench --mpi 4 parallel --files 4 --local 256M"],
)
internal class ParallelCommand : Runnable {
    @ParentCommand private lateinit var bench: ReportingCommand

    @Option(
        names = ["--files"],
        defaultValue = "1",
        paramLabel = "N",
        description = ["The physical files of the multifile, at most one for each rank (default: 1)."],
    )
    private var fileCount: Int = 0

    @Option(
        names = ["--local"],
        defaultValue = "16M",
        paramLabel = "SIZE",
        description = ["What each rank writes, at least 8 bytes (default: 16M)."],
    )
    private var bytesPerRank: Long = 0

    @Spec private lateinit var command: CommandSpec

    override fun run() {
        if (fileCount < 1 || bytesPerRank < Long.SIZE_BYTES) {
            throw ParameterException(command.commandLine(), "--files is at least 1, and --local at least 8 bytes.")
        }
        val ranks = LaunchedRanks(bench)
        val job = Job.of(ranks.count, fileCount, bytesPerRank)
        val partest = if ((launchedRank() ?: 0) == 0) partest(::println) else null
        ranks.report(
            // Only one contestant at a time has files. Each file or chunk takes whole pages.
            bytesOnDisk = job.byteCount + job.rankCount * PAGE_BYTES,
            play = { directory -> rounds(job, directory, shared(partest), bench.pairCount) },
            results = { rounds -> standings(job, contestants(job, partest), rounds) },
        )
    }

    private companion object {
        const val PAGE_BYTES = 8192L
    }
}

/** Collective: the path that rank 0 has. */
private suspend fun Communicator.shared(path: Path?): Path? =
    broadcastText(0) { path?.toString().orEmpty() }.ifEmpty { null }?.let(Path::of)

/** SIONlib's program, if ranks are processes and it is on the `PATH`; otherwise says why it does not take part. */
internal fun partest(say: (String) -> Unit): Path? {
    if (launchedRankCount() == null) {
        say("SIONlib's partest has processes only, so it takes part with --mpi and not here.")
        return null
    }
    return toolOnPath("partest").also {
        if (it == null) say("SIONlib's partest is not on the PATH, so it does not take part.")
    }
}
