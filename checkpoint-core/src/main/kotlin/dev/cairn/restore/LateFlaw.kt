package dev.cairn.restore

import dev.cairn.comm.Communicator
import dev.cairn.comm.allReduce
import dev.cairn.event.RankFailedException
import dev.cairn.store.Flaw

/** The cause of a failure, as far as one rank can tell; of the values of all ranks the last in this order counts. */
private enum class Knowledge {
    NOTHING,
    DAMAGED,
    UNREADABLE,

    /** A cause outside of the checkpoint. */
    OTHER,
    ;

    companion object {
        fun of(failure: Throwable?): Knowledge =
            when (failure?.let(Flaw::of)) {
                Flaw.DAMAGED, Flaw.LOST -> DAMAGED
                Flaw.UNREADABLE -> UNREADABLE
                null -> if (failure == null) NOTHING else OTHER
            }
    }
}

/**
 * Collective: the flaw of the checkpoint that caused [failure]; null if the cause lies outside of the checkpoint. Only the rank
 * that failed has the exception itself, and all must decide the same.
 */
internal suspend fun Communicator.flawOf(failure: RankFailedException): Flaw? {
    val own = Knowledge.of(failure.failures.find { it.rank == rank }?.cause)
    return when (Knowledge.entries[allReduce(own.ordinal.toLong(), Math::max).toInt()]) {
        Knowledge.NOTHING, Knowledge.OTHER -> null
        Knowledge.DAMAGED -> Flaw.DAMAGED
        Knowledge.UNREADABLE -> Flaw.UNREADABLE
    }
}
