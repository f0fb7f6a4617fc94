package dev.cairn.ranks

import dev.cairn.event.RankFailedException
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineStart.UNDISPATCHED
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.withTimeoutOrNull
import java.nio.ByteBuffer
import java.util.Optional
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

// Collectives in which rank 0 computes the answers for all ranks. If any rank fails, no rank gets an answer, and all throw the same
// RankFailedException. Internally an empty message stands for a failed value or answer, after which all ranks settle. Callers see
// values and exceptions only. A decision may suspend for longer than the limit of a call.

/** Collective: each rank passes its [own] value, from which [decide] computes an answer for each rank, on rank 0. */
internal suspend fun <Q, A> Communicator.assign(
    step: String,
    question: MessageFields<Q>,
    answer: MessageFields<A>,
    own: Result<Q>,
    decide: suspend (List<Q>) -> List<A>,
): A {
    note(step)
    val brought = bring(question, own)
    val decided = decideInTime({ scatter(ROOT, List(size) { _ -> it }) }) { brought.getOrThrow()?.let { decide(it) } }
    return answerEach(step, answer, decided)
}

/** Collective: each rank passes its [own] value, from which [decide] computes one answer for all, on rank 0. */
internal suspend fun <Q, A : Any> Communicator.agree(
    step: String,
    question: MessageFields<Q>,
    answer: MessageFields<A>,
    own: Result<Q>,
    decide: suspend (List<Q>) -> A,
): A {
    note(step)
    val brought = bring(question, own)
    val decided = decideInTime({ broadcast(ROOT, it) }) { brought.getOrThrow()?.let { decide(it) } }
    return answerAll(step, answer, decided)
}

/** Collective: [decide] computes one answer for all, on rank 0. */
internal suspend fun <A : Any> Communicator.decide(
    step: String,
    answer: MessageFields<A>,
    decide: suspend () -> A,
): A {
    note(step)
    val decided = decideInTime({ broadcast(ROOT, it) }) { if (rank == ROOT) decide() else null }
    return answerAll(step, answer, decided)
}

/** Collective: as [decide], for an answer that is a message of at least one byte. */
internal suspend fun Communicator.decideBytes(step: String, decide: suspend () -> ByteBuffer): ByteBuffer {
    note(step)
    val own = runCatching { if (rank == ROOT) decide() else null }
    return answered(step, broadcast(ROOT, own.messageOr(FAILED) { it ?: FAILED }), own)
}

/** Collective: the first half of [assign] and [agree]. Rank 0 gets the values of all ranks if none of them has failed. */
internal suspend fun <Q> Communicator.bring(question: MessageFields<Q>, own: Result<Q>): Result<List<Q>?> {
    val messages = gather(ROOT, own.messageOr(FAILED, question::encode))
    return own.mapCatching {
        if (rank == ROOT && messages.all(ByteBuffer::hasRemaining)) messages.map(question::decode) else null
    }
}

/** Collective: the second half of [assign]. Rank 0 passes the answers that it has [decided], the others pass failures only. */
internal suspend fun <A> Communicator.answerEach(
    step: String,
    answer: MessageFields<A>,
    decided: Result<List<A>?>,
): A {
    val messages = decided.mapCatching { all -> all?.map(answer::encode) }
    messages.requireNotCancelled()
    val ofAll = if (rank == ROOT) messages.getOrNull() ?: List(size) { FAILED } else null
    return answer.decode(answered(step, awaitAnswer { scatter(ROOT, ofAll) }, messages))
}

/** Collective: the second half of [agree]. Rank 0 passes the answer that it has [decided], the others pass failures only. */
internal suspend fun <A : Any> Communicator.answerAll(step: String, answer: MessageFields<A>, decided: Result<A?>): A {
    val own = decided.mapCatching { it?.let(answer::encode) }
    val message = own.messageOr(FAILED) { it ?: FAILED }
    return answer.decode(answered(step, awaitAnswer { broadcast(ROOT, message) }, own))
}

private suspend fun Communicator.answered(step: String, message: ByteBuffer, own: Result<*>): ByteBuffer {
    if (message.hasRemaining()) return message
    together(step, own)
    error("'$step' was refused on all ranks, and no rank gave a reason; please report this")
}

/** Collective: the largest of the ranks' [own] numbers; [Long.MAX_VALUE] stands for a failure. */
internal suspend fun Communicator.largest(step: String, own: Result<Long>): Long {
    own.requireNotCancelled()
    val largest = allReduce(own.getOrDefault(Long.MAX_VALUE), Math::max)
    if (largest == Long.MAX_VALUE) together(step, own)
    return largest
}

/** Collective: the result of [make] for the messages of all ranks, computed once for all ranks of a process. */
internal suspend fun <T : Any> Communicator.shareAll(
    step: String,
    own: Result<ByteBuffer>,
    make: (List<ByteBuffer>) -> T,
): T {
    val messages = allGather(own.messageOr(FAILED) { it })
    val made =
        shareInProcess { if (messages.all { it.hasRemaining() }) Optional.of(make(messages)) else Optional.empty() }
    if (made.isEmpty) together(step, own)
    return made.get()
}

/** Collective: returns the [outcome] of this rank if no rank has failed; otherwise all throw the same exception. */
internal suspend fun <T> Communicator.together(step: String, outcome: Result<T>): T {
    outcome.requireNotCancelled()
    val failure = outcome.exceptionOrNull()
    try {
        settle(step, failure)
    } catch (settled: RankFailedException) {
        // A failure of a collective call has reached all ranks already.
        throw failure as? RankFailedException ?: settled
    }
    return outcome.getOrThrow()
}

/** A cancelled rank takes no part in further calls. */
private fun Result<*>.requireNotCancelled() = onFailure { if (it is CancellationException) throw it }

private inline fun <T> Result<T>.messageOr(failed: ByteBuffer, encode: (T) -> ByteBuffer): ByteBuffer {
    requireNotCancelled()
    return mapCatching(encode).getOrElse { failed }
}

private val FAILED = NOTHING

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
): Result<A> {
    // Alone, no rank waits for the answer.
    if (size == 1) return runCatching { decide() }
    return coroutineScope {
        val decision = async(start = UNDISPATCHED) { runCatching { decide() } }
        while (!decision.isCompleted) {
            withTimeoutOrNull(longestSilence) { decision.join() } ?: answer(NOT_YET)
        }
        decision.await()
    }
}

/** The answer of rank 0, after all that [receive] receives before rank 0 has one. */
internal inline fun awaitAnswer(receive: () -> ByteBuffer): ByteBuffer {
    while (true) {
        val message = receive()
        if (message != NOT_YET) return message
    }
}
