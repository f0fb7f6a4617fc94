package dev.cairn.concentrate

import dev.cairn.ranks.Worker
import kotlinx.coroutines.Deferred

/** Lets [worker] write one window after the other while its concentrator goes on. At most one write is under way. */
internal class WriteBehind(private val worker: Worker) {
    private var last: Deferred<Result<Unit>>? = null

    /** Begins [write] when the one before it has ended; throws if that has failed. */
    suspend fun begin(write: () -> Unit) {
        end()
        last = worker.start { worker.run(write) }
    }

    /** Returns when the last write has ended; throws if it has failed. */
    suspend fun end() {
        last?.await()?.getOrThrow()
    }
}
