package dev.cairn.examples.bench

import java.nio.file.Files
import java.nio.file.Path

/**
 * What every section works with.
 *
 * @property directory an empty directory; a section leaves it empty
 * @property report takes each result as soon as it is known
 */
internal class Bench(
    val directory: Path,
    val scale: Scale,
    val pairCount: Int,
    val report: (Result) -> Unit,
) {
    /** Where there is something to force. */
    val isOnDisk: Boolean = Files.getFileStore(directory).type() != "tmpfs"

    fun compare(
        job: String,
        atLeast: Double,
        ours: Side,
        baseline: Side,
        warmUpPairs: Int = Duel.WARM_UP_PAIRS,
    ): DuelResult = Duel(job, atLeast, ours, baseline).run(pairCount, warmUpPairs).also(report)
}

/** A group of benchmarks that can be run alone. */
internal enum class Section(
    val run: (Bench) -> Unit,
) {
    STREAM(::benchStream),
    TASKS(::benchTasks),
    MEMORY(::benchMemory),
    DEFRAG(::benchDefrag),
    DUMP(::benchDump),
    RANKS(::benchRanks),
    GROUPS(::benchGroups),
    CHECKPOINT(::benchCheckpoint),
    LOOP(::benchLoop),
    MANY(::benchMany),
    STARTUP(::benchStartup),
    ;

    override fun toString(): String = name.lowercase()
}
