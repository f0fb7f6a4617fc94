package dev.cairn.benchmarks.parallel

import dev.cairn.benchmarks.Benchmarks
import dev.cairn.benchmarks.report.PhasesResult
import dev.cairn.benchmarks.report.Report
import dev.cairn.benchmarks.report.ReportingCommand
import dev.cairn.benchmarks.report.Result
import dev.cairn.ranks.everyRank
import dev.cairn.ranks.launchedRank
import dev.cairn.ranks.launchedRankCount
import kotlinx.coroutines.runBlocking
import picocli.CommandLine.Command
import picocli.CommandLine.Mixin
import picocli.CommandLine.Option
import picocli.CommandLine.ParentCommand
import java.nio.file.Path
import kotlin.io.path.writeBytes

/** The command `bench parallel`. Under a launcher each process runs it as one rank, and only rank 0 prints. */
@Command(
    name = "parallel",
    mixinStandardHelpOptions = true,
    description = [
        "Ranks write and read in parallel, with the parameters of SIONlib's partest: in a multifile, in a file for " +
            "each rank, and, where it is on the PATH, by partest; all in turn.",
    ],
    footer = [
        "",
        "A SIZE is in bytes, or has a K, M or G behind it.",
        "",
        "Simulated ranks: examples/run bench parallel --ranks 16,256,4096 --total 256M --svg rates.svg",
        "Processes:       examples/run bench --mpi 4 parallel --files 4 --local 256M",
    ],
)
internal class ParallelCommand : Runnable {
    @ParentCommand private lateinit var bench: ReportingCommand

    @Mixin private lateinit var parameters: Parameters

    @Option(names = ["--svg"], paramLabel = "FILE", description = ["Draws rates and create times over ranks."])
    private var svg: Path? = null

    override fun run() {
        val jobs = parameters.jobs(launchedRankCount())
        if ((launchedRank() ?: 0) == 0) {
            val results = measured(jobs).results.filterIsInstance<PhasesResult>()
            svg?.writeBytes(plotted(results))
        } else {
            jobs.forEach { play(it, Arena.ELSEWHERE) }
        }
    }

    private fun measured(jobs: List<Job>): Report =
        bench.report(jobs.maxOf { it.bytesOnDisk }, WARM_UP_ROUNDS) { directory, found ->
            val arena = Arena(directory, Partest.lookedFor(jobs.first(), ::println))
            for (job in jobs) play(job, arena).forEach(found)
        }

    private fun play(job: Job, arena: Arena): List<Result> =
        runBlocking { everyRank(job.rankCount) { results(job, arena, bench.pairCount) } }.first()
}
