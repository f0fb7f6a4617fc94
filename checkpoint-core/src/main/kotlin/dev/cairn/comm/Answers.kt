package dev.cairn.comm

import dev.cairn.event.RankFailedException
import kotlinx.coroutines.CancellationException
import java.nio.ByteBuffer
import java.util.Optional

// Rank 0 gives the answers with which all ranks go on. If any rank fails, no rank gets an answer, and all throw the same
// RankFailedException. Where a rank has failed, an empty message stands for its value, and for the answers; then all ranks settle.
// Callers see values and exceptions only.

/** Collective: each rank brings its [own] value, from which rank 0 lets [decide] make an answer for each rank. */
internal suspend fun <Q, A> Communicator.assign(
    step: String,
    question: MessageFields<Q>,
    answer: MessageFields<A>,
    own: Result<Q>,
    decide: suspend (List<Q>) -> List<A>,
): A {
    note(step)
    val brought = bring(question, own)
    return answerEach(step, answer, brought.mapCatching { all -> all?.let { decide(it) } })
}

/** Collective: each rank brings its [own] value, from which rank 0 lets [decide] make one answer for all. */
internal suspend fun <Q, A : Any> Communicator.agree(
    step: String,
    question: MessageFields<Q>,
    answer: MessageFields<A>,
    own: Result<Q>,
    decide: suspend (List<Q>) -> A,
): A {
    note(step)
    val brought = bring(question, own)
    return answerAll(step, answer, brought.mapCatching { all -> all?.let { decide(it) } })
}

/** Collective: rank 0 lets [decide] make one answer for all. */
internal suspend fun <A : Any> Communicator.decide(
    step: String,
    answer: MessageFields<A>,
    decide: suspend () -> A,
): A {
    note(step)
    return answerAll(step, answer, runCatching { if (rank == ROOT) decide() else null })
}

/** Collective: as [decide], where the answer is a message of a byte or more. */
internal suspend fun Communicator.decideBytes(
    step: String,
    decide: suspend () -> ByteBuffer,
): ByteBuffer {
    note(step)
    return answerAll(step, runCatching { if (rank == ROOT) decide() else null })
}

/** Collective: the first half of [assign] and [agree]. Rank 0 gets the values of all ranks if none of them has failed. */
internal suspend fun <Q> Communicator.bring(
    question: MessageFields<Q>,
    own: Result<Q>,
): Result<List<Q>?> {
    val messages = gather(ROOT, own.messageOr(FAILED, question::encode))
    return own.mapCatching {
        if (rank == ROOT && messages.all(ByteBuffer::hasRemaining)) messages.map(question::decode) else null
    }
}

/** Collective: the second half of [assign]. Rank 0 brings what it has [decided], the others no more than failures. */
internal suspend fun <A> Communicator.answerEach(
    step: String,
    answer: MessageFields<A>,
    decided: Result<List<A>?>,
): A {
    val messages = decided.mapCatching { all -> all?.map(answer::encode) }
    messages.requireNotCancelled()
    val ofAll = if (rank == ROOT) messages.getOrNull() ?: List(size) { FAILED } else null
    return answer.decode(answered(step, scatter(ROOT, ofAll), messages))
}

/** Collective: the second half of [agree]. Rank 0 brings what it has [decided], the others no more than failures. */
internal suspend fun <A : Any> Communicator.answerAll(
    step: String,
    answer: MessageFields<A>,
    decided: Result<A?>,
): A = answer.decode(answerAll(step, decided.mapCatching { it?.let(answer::encode) }))

private suspend fun Communicator.answerAll(
    step: String,
    decided: Result<ByteBuffer?>,
): ByteBuffer = answered(step, broadcast(ROOT, decided.messageOr(FAILED) { it ?: FAILED }), decided)

private suspend fun Communicator.answered(
    step: String,
    message: ByteBuffer,
    own: Result<*>,
): ByteBuffer {
    if (message.hasRemaining()) return message
    together(step, own)
    error("'$step' was refused on all ranks, and no rank gave a reason; please report this")
}

/** Collective: the largest of the numbers that the ranks bring as their [own]; [Long.MAX_VALUE] stands for a failure. */
internal suspend fun Communicator.largest(
    step: String,
    own: Result<Long>,
): Long {
    own.requireNotCancelled()
    val largest = allReduce(own.getOrDefault(Long.MAX_VALUE), Math::max)
    if (largest == Long.MAX_VALUE) together(step, own)
    return largest
}

/** Collective: what [make] makes of the messages that all ranks bring, once for all ranks of a process. */
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
internal suspend fun <T> Communicator.together(
    step: String,
    outcome: Result<T>,
): T {
    outcome.requireNotCancelled()
    val failure = outcome.exceptionOrNull()
    try {
        settle(step, failure)
    } catch (settled: RankFailedException) {
        // All ranks have met the failure already that has come from a collective call.
        throw failure as? RankFailedException ?: settled
    }
    return outcome.getOrThrow()
}

/** A rank that is cancelled takes no part any more. */
private fun Result<*>.requireNotCancelled() = onFailure { if (it is CancellationException) throw it }

private inline fun <T> Result<T>.messageOr(
    failed: ByteBuffer,
    encode: (T) -> ByteBuffer,
): ByteBuffer {
    requireNotCancelled()
    return mapCatching(encode).getOrElse { failed }
}

private val FAILED = NOTHING
