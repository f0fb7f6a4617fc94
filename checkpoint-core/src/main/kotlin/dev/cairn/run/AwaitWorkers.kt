package dev.cairn.run

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.longestSilence
import kotlinx.coroutines.withTimeoutOrNull

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
