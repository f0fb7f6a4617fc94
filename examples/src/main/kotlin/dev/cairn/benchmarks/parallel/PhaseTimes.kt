package dev.cairn.benchmarks.parallel

import dev.cairn.ranks.Communicator
import java.util.EnumMap

/** The phases of a run. The time of a phase is that of its slowest rank. */
internal enum class Phase { CREATE, WRITE, CLOSE, OPEN, READ }

/** The seconds of one run. */
internal data class PhaseTimes(
    val create: Double,
    val write: Double,
    val close: Double,
    val open: Double,
    val read: Double,
) {
    /** The sum of all phases of writing. */
    val writing: Double get() = create + write + close

    /** The sum of all phases of reading. */
    val reading: Double get() = open + read
}

/** Times the work of all [ranks] between two barriers. Each rank has one; their times differ only by those of the barriers. */
internal class Stopwatch(private val ranks: Communicator) {
    private val seconds = EnumMap<Phase, Double>(Phase::class.java)
    private var begin = 0L

    /** Collective: the next phase begins now, and the time before is not counted. */
    suspend fun start() {
        ranks.barrier()
        begin = System.nanoTime()
    }

    /** Collective: [phase] has ended, and the next one begins. */
    suspend fun lap(phase: Phase) {
        ranks.barrier()
        val now = System.nanoTime()
        seconds[phase] = (now - begin) / 1e9
        begin = now
    }

    fun times(): PhaseTimes =
        PhaseTimes(
            create = seconds.getValue(Phase.CREATE),
            write = seconds.getValue(Phase.WRITE),
            close = seconds.getValue(Phase.CLOSE),
            open = seconds.getValue(Phase.OPEN),
            read = seconds.getValue(Phase.READ),
        )
}
