package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.report.ReportingCommand
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

/** The command `bench records`. Under a launcher each process runs it as one rank, and only rank 0 prints. */
@Command(
    name = "records",
    mixinStandardHelpOptions = true,
    description = [
        "The section output in memory, for ranks that are processes: they append records to a NetCDF file through logs.",
    ],
    footer = ["", "Example: examples/run bench --mpi 4 records --total 64M"],
)
internal class RecordsCommand : Runnable {
    @ParentCommand private lateinit var bench: ReportingCommand

    @Option(
        names = ["--total"],
        defaultValue = "64M",
        paramLabel = "SIZE",
        description = ["The bytes of all records (default: 64M)."],
    )
    private var byteCount: Long = 0

    override fun run() {
        val columns = ColumnBlocks(byteCount / RECORD_COUNT, launchedRankCount() ?: COROUTINES, LONG_RUN)
        if ((launchedRank() ?: 0) == 0) {
            bench.report(2 * byteCount, WARM_UP_ROUNDS) { directory, found ->
                reportRounds(columns, play(columns, directory), goals = null, found)
            }
        } else {
            play(columns, ELSEWHERE)
        }
    }

    /** @param directory what rank 0 says counts */
    private fun play(columns: ColumnBlocks, directory: Path): List<OutputRound> =
        runBlocking {
            everyRank(columns.rankCount) {
                val shared = Path.of(broadcastText(0) { "$directory" })
                OutputRounds(this, columns, RECORD_COUNT, shared, shared.resolve("stage"), FileBlockStore())
                    .run(WARM_UP_ROUNDS, bench.pairCount)
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
