package dev.cairn.run

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.allReduce
import dev.cairn.ranks.longestSilence
import kotlinx.coroutines.withTimeoutOrNull

/**
 * Whether a rank can meet for work in the background without waiting for its worker.
 *
 * @property making for the save that is written
 * @property draining for the save that is drained
 */
internal data class Ready(val making: Boolean, val draining: Boolean) {
    val any: Boolean get() = making || draining

    /** Encoded so that the maximum over all ranks is the readiness of all. */
    fun toLongs(): LongArray = longArrayOf(if (making) 0 else 1, if (draining) 0 else 1)

    companion object {
        val NOTHING = Ready(making = false, draining = false)

        fun of(making: Long, draining: Long) = Ready(making == 0L, draining == 0L)
    }
}

/** Collective: the work for which all ranks are ready. */
internal suspend fun Communicator.readyOnAll(own: Ready): Ready {
    val (making, draining) = allReduce(own.toLongs(), Math::max)
    return Ready.of(making, draining)
}

/**
 * Collective: returns when all ranks are [ready] for something; [join] waits for the worker of this rank. The ranks exchange their
 * states at intervals, so that no rank waits longer than the limit of a call.
 *
 * @param onWait called after each exchange that found no work for which all ranks are ready
 */
internal suspend fun Communicator.awaitWorkers(
    join: suspend () -> Unit,
    ready: suspend () -> Ready,
    onWait: () -> Unit = {},
): Ready {
    while (true) {
        withTimeoutOrNull(longestSilence) { join() }
        val ofAll = readyOnAll(ready())
        if (ofAll.any) return ofAll
        onWait()
    }
}
