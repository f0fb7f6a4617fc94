package dev.cairn.comm

import dev.cairn.failure.RankFailedException
import kotlinx.coroutines.CancellationException
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

// Rank 0 decides, and broadcasts the result: a single broadcast if no rank fails. A message without any byte means that
// all ranks must settle, so an answer, which may be empty, travels behind a byte.

/**
 * Collective: returns on all ranks the answer that [make] returns on [root]; it is called on no other rank. If it
 * throws, all ranks throw the same [RankFailedException].
 */
internal suspend fun Communicator.answerFrom(
    root: Int,
    step: String,
    make: suspend () -> ByteBuffer,
): ByteBuffer {
    note(step)
    val made = if (rank == root) runCatching { messageOf(make()) } else null
    val failure = made?.exceptionOrNull()
    if (failure is CancellationException) throw failure
    val message = broadcast(root, made?.getOrElse { REFUSED })
    if (!message.hasRemaining()) settleRefused(step, failure)
    return message.position(1).slice().order(LITTLE_ENDIAN)
}

private fun messageOf(answer: ByteBuffer): ByteBuffer =
    ByteBuffer
        .allocate(Math.addExact(1, answer.remaining()))
        .put(ANSWERED)
        .put(answer.duplicate())
        .flip()

private const val ANSWERED: Byte = 1

/** Collective: throws on all ranks, since one of them has a [failure] at least. */
internal suspend fun Communicator.settleRefused(
    step: String,
    failure: Throwable?,
): Nothing {
    settle(step, failure)
    error("'$step' was refused on all ranks, and no rank gave a reason; please report this")
}

/** Stands for the answer where a rank has failed. */
internal val REFUSED: ByteBuffer = ByteBuffer.allocate(0)
