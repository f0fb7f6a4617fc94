package dev.cairn.run

import dev.cairn.comm.Communicator
import kotlinx.coroutines.withTimeoutOrNull
import kotlin.time.Duration.Companion.seconds

/**
 * Collective: returns when all ranks are [ready] for something; [join] waits for the worker of this rank. The ranks ask one another now
 * and then, so that none waits for longer than a call may take.
 *
 * @param onWait called each time after they were ready for nothing
 */
internal suspend fun Communicator.awaitWorkers(
    join: suspend () -> Unit,
    ready: suspend () -> Ready,
    onWait: () -> Unit = {},
): Ready {
    while (true) {
        withTimeoutOrNull(minOf(ASK_EVERY, limit / 4)) { join() }
        val ofAll = readyOnAll(ready())
        if (ofAll.any) return ofAll
        onWait()
    }
}

private val ASK_EVERY = 1.seconds
