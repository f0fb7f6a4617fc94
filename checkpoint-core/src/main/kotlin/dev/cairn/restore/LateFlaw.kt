package dev.cairn.restore

import dev.cairn.comm.Communicator
import dev.cairn.comm.allReduce
import dev.cairn.failure.RankFailedException
import dev.cairn.store.Flaw

/** One rank's knowledge of a failure; a later value outweighs the earlier ones. */
private enum class Knowledge {
    NOTHING,
    DAMAGED,
    UNREADABLE,

    /** It is not the checkpoint's fault. */
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
 * Collective: what a [failure] to restore says of the checkpoint; null if it is not the checkpoint's fault. Only the rank
 * that failed knows for sure, and all must decide the same.
 */
internal suspend fun Communicator.flawOf(failure: RankFailedException): Flaw? {
    val own = Knowledge.of(failure.failures.find { it.rank == rank }?.cause)
    return when (Knowledge.entries[allReduce(own.ordinal.toLong(), Math::max).toInt()]) {
        Knowledge.NOTHING, Knowledge.OTHER -> null
        Knowledge.DAMAGED -> Flaw.DAMAGED
        Knowledge.UNREADABLE -> Flaw.UNREADABLE
    }
}
