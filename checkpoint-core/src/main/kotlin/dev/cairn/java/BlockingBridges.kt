package dev.cairn.java

import dev.cairn.comm.Communicator
import dev.cairn.comm.ProgramCode
import dev.cairn.comm.inprocess.InProcessCommunicator
import dev.cairn.comm.send
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.runBlocking
import java.util.concurrent.CompletableFuture
import java.util.concurrent.SynchronousQueue
import kotlin.concurrent.thread

/** Runs a blocking body on a thread of its own, beside the rank's coroutine. */
private abstract class PlayingBridge : Bridge {
    /**
     * Whether the rank's coroutine runs an operation. The body waits for it, so a call at that time does not come from
     * the body.
     */
    @Volatile private var isBusy = false

    final override fun <R> call(operation: suspend () -> R): R {
        if (isBusy) throw ProgramCode.refusal()
        return handOver(operation)
    }

    protected abstract fun <R> handOver(operation: suspend () -> R): R

    /** Returns what [body] returns, or throws what it throws. */
    abstract suspend fun <T> play(
        name: String,
        body: () -> T,
    ): T

    protected suspend fun <R> perform(operation: suspend () -> R): Result<R> {
        isBusy = true
        return runCatching { operation() }.also { isBusy = false }
    }
}

/**
 * Runs a [body] that blocks, on a thread of its own; it calls the rank's communicator through the bridge. In a
 * deterministic run no other code runs meanwhile.
 */
internal suspend fun <T> Communicator.playBlocking(body: (Bridge) -> T): T {
    val isInTurn = this is InProcessCommunicator && runClock.isSimulated
    val bridge = if (isInTurn) TurnBridge() else HandoverBridge()
    return bridge.play("rank $rank") { body(bridge) }
}

/**
 * Runs a body that blocks on a thread of its own, which hands its operations to the rank's coroutine. So blocking ranks
 * run wherever coroutines do: many of them in one process, or one whose messages are bound to a thread.
 */
private class HandoverBridge : PlayingBridge() {
    private val operations = Channel<Handover<*>> { it.refuse() }

    override fun <R> handOver(operation: suspend () -> R): R {
        val handover = Handover(operation)
        runBlocking { operations.send(handover) }
        return handover.await()
    }

    override suspend fun <T> play(
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

    private inner class Handover<R>(
        private val operation: suspend () -> R,
    ) {
        private val answer = CompletableFuture<Result<R>>()

        suspend fun perform() {
            answer.complete(perform(operation))
        }

        /** For a rank that ends while its thread still runs. */
        fun refuse() {
            answer.complete(Result.failure(CancellationException("the rank has ended")))
        }

        fun await(): R = answer.get().getOrThrow()
    }
}

/** The rank's thread hands each operation to the rank's coroutine, which waits until there is one. */
private class TurnBridge : PlayingBridge() {
    private val turns = SynchronousQueue<Turn<*>>()
    private val end = Turn<Unit> {}

    override fun <R> handOver(operation: suspend () -> R): R = Turn(operation).also(turns::put).await()

    override suspend fun <T> play(
        name: String,
        body: () -> T,
    ): T {
        var result: Result<T>? = null
        thread(isDaemon = true, name = name) {
            result = runCatching(body)
            turns.put(end)
        }
        while (true) turns.take().takeIf { it !== end }?.play() ?: break
        return checkNotNull(result).getOrThrow()
    }

    private inner class Turn<R>(
        private val operation: suspend () -> R,
    ) {
        private val answer = SynchronousQueue<Result<R>>()

        suspend fun play() = answer.put(perform(operation))

        fun await(): R = answer.take().getOrThrow()
    }
}
