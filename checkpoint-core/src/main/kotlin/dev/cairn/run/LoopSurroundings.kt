package dev.cairn.run

import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT
import dev.cairn.sion.store.BlockStore
import java.nio.file.Path

/**
 * What surrounds a loop on one rank.
 *
 * @property requests from signals and other programs
 * @property job on rank 0, if the job has an end
 * @property shown the line on the terminal, on rank 0, if there is one
 */
internal class LoopSurroundings(val requests: Requests, val job: JobWatch?, val shown: ShownProgress?) {
    companion object {
        /** Those of a trial. */
        val NONE = LoopSurroundings(Requests.NONE, job = null, shown = null)
    }
}

/**
 * The line on the terminal, on rank 0, if the [options] say so and there is one. It is made before anything is logged: the JDK's logger
 * keeps the stream that it finds at its first line.
 */
internal fun Communicator.shownProgress(directory: Path, options: CheckpointOptions): ShownProgress? =
    if (rank == ROOT && options.progress) ShownProgress.of("${directory.fileName}") else null

/**
 * The surroundings of a loop that saves into [directory], on this rank: one rank is enough to look for files, while [signals] may reach
 * any process.
 */
internal fun Communicator.surroundings(
    directory: Path,
    options: CheckpointOptions,
    files: BlockStore,
    signals: Requests,
    shown: ShownProgress?,
): LoopSurroundings {
    val job = jobWatch(options)?.apply { announceStop() }
    val inFiles = FileRequests(files, directory)
    val requests = if (rank == ROOT) signals.and(inFiles) else signals
    return LoopSurroundings(requests, job, shown)
}
