package dev.cairn.examples.bench

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

/**
 * A group of benchmarks that can be run alone.
 *
 * @property warmUpPairs how many pairs run before the first one that counts: saving and restoring go through much more code than
 *     the other jobs, and are slow until all of it is compiled
 */
internal enum class Section(
    val run: (Bench) -> Unit,
    val warmUpPairs: Int = Duel.WARM_UP_PAIRS,
) {
    STREAM(::benchStream),
    TASKS(::benchTasks),
    MEMORY(::benchMemory),
    DEFRAG(::benchDefrag),
    DUMP(::benchDump),
    COMMANDS(::benchCommands),
    RANKS(::benchRanks),
    GROUPS(::benchGroups),
    CHECKPOINT(::benchCheckpoint, warmUpPairs = 12),
    TABLE(::benchTable, warmUpPairs = 12),
    VALUES(::benchValues, warmUpPairs = 12),
    LOOP(::benchLoop),
    MANY(::benchMany),
    STARTUP(::benchStartup),
    ;

    override fun toString(): String = name.lowercase()
}
