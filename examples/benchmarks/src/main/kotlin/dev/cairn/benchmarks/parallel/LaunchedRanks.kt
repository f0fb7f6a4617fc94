package dev.cairn.benchmarks.parallel

import dev.cairn.benchmarks.report.ReportingCommand
import dev.cairn.benchmarks.report.Result
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.broadcastText
import dev.cairn.ranks.everyRank
import dev.cairn.ranks.launchedRank
import dev.cairn.ranks.launchedRankCount
import kotlinx.coroutines.runBlocking
import java.nio.file.Path

/** The ranks of a subcommand: the processes that a launcher has started, or else a few coroutines of this one. */
internal class LaunchedRanks(private val command: ReportingCommand) {
    val count: Int = launchedRankCount() ?: COROUTINES

    /** Runs [play] once on all ranks, in a directory that they share. Rank 0 alone reports the [results] of what it has measured. */
    fun <T> report(
        bytesOnDisk: Long,
        play: suspend Communicator.(Path) -> List<T>,
        results: (List<T>) -> List<Result>,
    ) {
        if ((launchedRank() ?: 0) == 0) {
            command.report(bytesOnDisk, WARM_UP_ROUNDS) { directory, found ->
                results(onEveryRank(directory, play)).forEach(found)
            }
        } else {
            onEveryRank(ELSEWHERE, play)
        }
    }

    private fun <T> onEveryRank(directory: Path, play: suspend Communicator.(Path) -> List<T>): List<T> =
        runBlocking { everyRank(count) { play(Path.of(broadcastText(0) { "$directory" })) } }.first()

    private companion object {
        const val COROUTINES = 4

        /** The directory of ranks other than rank 0, which broadcasts its own. */
        val ELSEWHERE: Path = Path.of("")
    }
}

/** A process with one rank makes few calls in a round, and is slow until its code is compiled. */
internal const val WARM_UP_ROUNDS = 12
