package dev.cairn.benchmarks.parallel

import dev.cairn.benchmarks.report.ReportingCommand
import dev.cairn.benchmarks.sections.ColumnBlocks
import dev.cairn.benchmarks.sections.ColumnRounds
import dev.cairn.benchmarks.sections.LONG_RUN
import dev.cairn.benchmarks.sections.SHORT_RUN
import dev.cairn.benchmarks.sections.resultsInMemory
import dev.cairn.sion.store.FileBlockStore
import picocli.CommandLine.Command
import picocli.CommandLine.Option
import picocli.CommandLine.ParentCommand

/** The command `bench columns`. Under a launcher each process runs it as one rank, and only rank 0 prints. */
@Command(
    name = "columns",
    mixinStandardHelpOptions = true,
    description = [
        "The section concentrators in memory, for ranks that are processes: each has a block of columns of an array, " +
            "which all write through a concentrator, one of them for all, and each for itself; all in turn.",
    ],
    footer = ["", "Example: examples/bench --mpi 4 columns --total 256M"],
)
internal class ColumnsCommand : Runnable {
    @ParentCommand private lateinit var bench: ReportingCommand

    @Option(
        names = ["--total"],
        defaultValue = "256M",
        paramLabel = "SIZE",
        description = ["The bytes of the array (default: 256M)."],
    )
    private var byteCount: Long = 0

    /** Both arrays in one run of the ranks: a process can take part in MPI once. */
    override fun run() {
        val ranks = LaunchedRanks(bench)
        val jobs = listOf(LONG_RUN, SHORT_RUN).map { ColumnBlocks(byteCount, ranks.count, it) }
        ranks.report(
            bytesOnDisk = 2 * byteCount,
            play = { directory ->
                jobs.map {
                    ColumnRounds(this, it, directory, FileBlockStore(), it.rowCount)
                        .run(WARM_UP_ROUNDS, bench.pairCount)
                }
            },
            results = { all -> jobs.zip(all).flatMap { (job, rounds) -> resultsInMemory(job, rounds) } },
        )
    }
}
