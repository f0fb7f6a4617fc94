package dev.cairn.benchmarks.sections

import dev.cairn.benchmarks.report.DuelResult
import dev.cairn.benchmarks.report.Result
import java.nio.file.Files
import java.nio.file.Path

/**
 * What every section works with.
 *
 * @property directory an empty directory; a section leaves it empty
 * @property report takes each result as soon as it is known
 * @property warmUpPairs how many pairs run before the first one that counts
 */
internal class Bench(
    val directory: Path,
    val scale: Scale,
    val pairCount: Int,
    val report: (Result) -> Unit,
    val warmUpPairs: Int = Duel.WARM_UP_PAIRS,
) {
    /** Where there is something to force. */
    val isOnDisk: Boolean = Files.getFileStore(directory).type() != "tmpfs"

    fun compare(
        job: String,
        atLeast: Double,
        ours: Side,
        baseline: Side,
    ): DuelResult = Duel(job, atLeast, ours, baseline).run(pairCount, warmUpPairs).also(report)
}
