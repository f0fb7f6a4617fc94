package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.report.ReportingCommand
import dev.cairn.benchmarks.report.Result
import dev.cairn.ranks.broadcastText
import dev.cairn.ranks.everyRank
import dev.cairn.ranks.launchedRank
import dev.cairn.ranks.launchedRankCount
import dev.cairn.sion.store.FileBlockStore
import kotlinx.coroutines.runBlocking
import picocli.CommandLine.Command
import picocli.CommandLine.Option
import picocli.CommandLine.ParentCommand
import java.nio.file.Path

/** The command `bench columns`. Under a launcher each process runs it as one rank, and only rank 0 prints. */
@Command(
    name = "columns",
    mixinStandardHelpOptions = true,
    description = [
        "The section concentrators in memory, for ranks that are processes: each has a block of columns of an array, " +
            "which all write through a concentrator, one of them for all, and each for itself; all in turn.",
    ],
    footer = ["", "Example: examples/run bench --mpi 4 columns --total 256M"],
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

    override fun run() {
        val jobs = listOf(LONG_RUN, SHORT_RUN).map { ColumnBlocks(byteCount, launchedRankCount() ?: COROUTINES, it) }
        if ((launchedRank() ?: 0) == 0) {
            bench.report(2 * byteCount, WARM_UP_ROUNDS) { directory, found ->
                jobs.zip(play(jobs, directory)) { job, rounds ->
                    reportRounds(nameOf(job), rounds, mostInMemory(job), mostOfStrided = null, found)
                }
            }
        } else {
            play(jobs, ELSEWHERE)
        }
    }

    /**
     * The rounds of each of [jobs], in one run of the ranks: a process can take part in MPI once.
     *
     * @param directory what rank 0 says counts
     */
    private fun play(jobs: List<ColumnBlocks>, directory: Path): List<List<ColumnRound>> =
        runBlocking {
            everyRank(jobs.first().rankCount) {
                val shared = Path.of(broadcastText(0) { "$directory" })
                jobs.map {
                    ColumnRounds(
                        this,
                        it,
                        shared,
                        FileBlockStore(),
                        it.rowCount,
                    ).run(WARM_UP_ROUNDS, bench.pairCount)
                }
            }
        }.first()

    private companion object {
        /** The number of ranks without a launcher. */
        const val COROUTINES = 4

        /** A process with one rank makes few calls in a round, and is slow until its code is compiled. */
        const val WARM_UP_ROUNDS = 12

        /** The directory that ranks other than rank 0 know before they are told. */
        val ELSEWHERE: Path = Path.of("")
    }
}
