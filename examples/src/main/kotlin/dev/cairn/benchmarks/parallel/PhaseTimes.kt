package dev.cairn.benchmarks.parallel

import dev.cairn.comm.Communicator
import java.util.EnumMap

/** What a run is made of. The slowest rank decides how long each takes. */
internal enum class Phase { CREATE, WRITE, CLOSE, OPEN, READ }

/** The seconds of one run. */
internal data class PhaseTimes(
    val create: Double,
    val write: Double,
    val close: Double,
    val open: Double,
    val read: Double,
) {
    /** All that belongs to writing. */
    val writing: Double get() = create + write + close

    /** All that belongs to reading. */
    val reading: Double get() = open + read
}

/** Times what all [ranks] do between two barriers. Each rank has one, and they all read the same but for a moment. */
internal class Stopwatch(
    private val ranks: Communicator,
) {
    private val seconds = EnumMap<Phase, Double>(Phase::class.java)
    private var begin = 0L

    /** Collective: the next phase begins now, and what was before does not count. */
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
