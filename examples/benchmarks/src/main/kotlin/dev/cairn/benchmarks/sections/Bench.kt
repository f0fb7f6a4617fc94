package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.report.Comparison
import dev.cairn.benchmarks.report.Result
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DataFiles
import dev.cairn.sion.ForcePolicy
import java.nio.file.Files
import java.nio.file.Path

/**
 * The environment of every section.
 *
 * @property directory an empty directory; a section leaves it empty
 * @property report is called with each result as soon as it is known
 * @property warmUpPairs the number of pairs before the first timed one
 */
internal class Bench(
    val directory: Path,
    val scale: Scale,
    val pairCount: Int,
    val report: (Result) -> Unit,
    val warmUpPairs: Int = Duel.WARM_UP_PAIRS,
) {
    /** Whether forcing a file has an effect. */
    val isOnDisk: Boolean = Files.getFileStore(directory).type() != "tmpfs"

    /** Of what sections force on a disk. */
    val durability: ForcePolicy = if (isOnDisk) ForcePolicy.ON_CLOSE else ForcePolicy.NEVER

    /** Checkpoints in as many files as a baseline has. */
    fun options(fileCount: Int): CheckpointOptions =
        CheckpointOptions {
            files = DataFiles.count(fileCount)
            blockSize = Scale.BLOCK_SIZE
            durability = this@Bench.durability
        }

    fun compare(job: String, atLeast: Double, ours: Side, baseline: Side): Comparison =
        Duel(job, atLeast, ours, baseline).run(pairCount, warmUpPairs).also(report)
}
