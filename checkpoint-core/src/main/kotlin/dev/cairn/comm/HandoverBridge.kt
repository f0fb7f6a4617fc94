package dev.cairn.comm

import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.runBlocking
import java.util.concurrent.CompletableFuture
import kotlin.concurrent.thread

/**
 * Runs a body that blocks on a thread of its own, which hands its operations to the rank's coroutine. So ranks that block
 * run wherever coroutines do: many of them in one process, or one whose messages are bound to a thread.
 */
internal class HandoverBridge : Bridge {
    private val operations = Channel<Handover<*>> { it.refuse() }

    override fun <R> call(operation: suspend () -> R): R {
        val handover = Handover(operation)
        runBlocking { operations.send(handover) }
        return handover.await()
    }

    /** Returns what [body] returns, or throws what it throws. */
    suspend fun <T> play(
        name: String,
        body: () -> T,
    ): T {
        var result: Result<T>? = null
        thread(isDaemon = true, name = name) {
            result = runCatching(body)
            operations.close()
        }
        try {
            for (handover in operations) handover.perform()
        } finally {
            operations.cancel()
        }
        return checkNotNull(result).getOrThrow()
    }

    private class Handover<R>(
        private val operation: suspend () -> R,
    ) {
        private val answer = CompletableFuture<Result<R>>()

        suspend fun perform() {
            answer.complete(runCatching { operation() })
        }

        /** Of a rank that ends while its thread goes on. */
        fun refuse() {
            answer.complete(Result.failure(CancellationException("the rank has ended")))
        }

        fun await(): R = answer.get().getOrThrow()
    }
}
