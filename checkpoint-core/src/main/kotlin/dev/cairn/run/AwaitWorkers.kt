package dev.cairn.run

import dev.cairn.comm.Communicator
import dev.cairn.comm.allReduce
import kotlinx.coroutines.withTimeoutOrNull
import kotlin.time.Duration.Companion.seconds

/**
 * Collective: returns when the workers of all ranks are done; [join] waits for that of this rank, and [isDone] asks it. The ranks ask one
 * another now and then, so that none waits for longer than a call may take.
 *
 * @param onWait called each time after some were not done
 */
internal suspend fun Communicator.awaitWorkers(
    join: suspend () -> Unit,
    isDone: () -> Boolean,
    onWait: () -> Unit = {},
) {
    while (true) {
        withTimeoutOrNull(minOf(ASK_EVERY, limit / 4)) { join() }
        if (allReduce(if (isDone()) 0L else 1L, Math::max) == 0L) return
        onWait()
    }
}

private val ASK_EVERY = 1.seconds
