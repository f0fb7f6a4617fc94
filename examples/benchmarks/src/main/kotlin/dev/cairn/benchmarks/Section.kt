package dev.cairn.benchmarks

import dev.cairn.benchmarks.sections.Bench
import dev.cairn.benchmarks.sections.Duel
import dev.cairn.benchmarks.sections.benchCheckpoint
import dev.cairn.benchmarks.sections.benchCollectives
import dev.cairn.benchmarks.sections.benchCommands
import dev.cairn.benchmarks.sections.benchConcentrators
import dev.cairn.benchmarks.sections.benchCores
import dev.cairn.benchmarks.sections.benchDefrag
import dev.cairn.benchmarks.sections.benchDump
import dev.cairn.benchmarks.sections.benchGroups
import dev.cairn.benchmarks.sections.benchLoop
import dev.cairn.benchmarks.sections.benchMany
import dev.cairn.benchmarks.sections.benchMemory
import dev.cairn.benchmarks.sections.benchObjects
import dev.cairn.benchmarks.sections.benchOneProcess
import dev.cairn.benchmarks.sections.benchOutput
import dev.cairn.benchmarks.sections.benchRanks
import dev.cairn.benchmarks.sections.benchStream
import dev.cairn.benchmarks.sections.benchTable
import dev.cairn.benchmarks.sections.benchTasks
import dev.cairn.benchmarks.sections.benchTiers
import dev.cairn.benchmarks.sections.benchValues

/**
 * A group of benchmarks that can be run alone.
 *
 * @property warmUpPairs the number of pairs before the first timed one: saving and restoring run much more code than the other
 *     jobs, and are slow until all of it is compiled
 */
internal enum class Section(val run: (Bench) -> Unit, val warmUpPairs: Int = Duel.WARM_UP_PAIRS) {
    STREAM(::benchStream),
    TASKS(::benchTasks),
    MEMORY(::benchMemory),
    DEFRAG(::benchDefrag),
    DUMP(::benchDump),
    COMMANDS(::benchCommands),
    RANKS(::benchRanks),
    GROUPS(::benchGroups),
    CHECKPOINT(::benchCheckpoint, warmUpPairs = 12),
    CORES(::benchCores, warmUpPairs = 6),
    TABLE(::benchTable, warmUpPairs = 12),
    VALUES(::benchValues, warmUpPairs = 12),
    TIERS(::benchTiers, warmUpPairs = 12),
    CONCENTRATORS(::benchConcentrators, warmUpPairs = 6),
    OUTPUT(::benchOutput, warmUpPairs = 6),
    LOOP(::benchLoop),
    MANY(::benchMany, warmUpPairs = 32),
    COLLECTIVES(::benchCollectives),
    ONE_PROCESS(::benchOneProcess),
    OBJECTS(::benchObjects, warmUpPairs = 3),
    ;

    override fun toString(): String = name.lowercase().replace('_', '-')
}
