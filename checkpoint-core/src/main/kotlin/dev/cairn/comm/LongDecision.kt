package dev.cairn.comm

import kotlinx.coroutines.CoroutineStart.UNDISPATCHED
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.withTimeoutOrNull
import java.nio.ByteBuffer
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** Stands for an answer that rank 0 does not have yet. No message of [MessageFields] is as short. */
private val NOT_YET = ByteBuffer.allocate(1).asReadOnlyBuffer()

/** The longest time for which ranks wait for each other's workers without a call. */
internal val Communicator.longestSilence: Duration get() = minOf(1.seconds, limit / 4)

/**
 * The result of [decide], which may wait for a worker: at intervals it passes to [answer] that there is none yet, so that the ranks that
 * [wait for the answer][awaitAnswer] wait no longer than the limit of a call.
 */
internal suspend fun <A> Communicator.decideInTime(
    answer: suspend (ByteBuffer) -> Unit,
    decide: suspend () -> A,
): Result<A> =
    coroutineScope {
        val decision = async(start = UNDISPATCHED) { runCatching { decide() } }
        while (!decision.isCompleted) {
            withTimeoutOrNull(longestSilence) { decision.join() } ?: answer(NOT_YET)
        }
        decision.await()
    }

/** The answer of rank 0, after all that [receive] receives before rank 0 has one. */
internal inline fun awaitAnswer(receive: () -> ByteBuffer): ByteBuffer {
    while (true) {
        val message = receive()
        if (message != NOT_YET) return message
    }
}
