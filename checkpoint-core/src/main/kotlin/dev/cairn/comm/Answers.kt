package dev.cairn.comm

import dev.cairn.failure.RankFailedException
import kotlinx.coroutines.CancellationException
import java.nio.ByteBuffer

// Rank 0 decides, and broadcasts the result: a single broadcast if no rank fails. An answer is never empty, so an empty
// one means that all ranks must settle.

/**
 * Collective: returns on all ranks the answer that [make] returns on [root]; it is called on no other rank, and its
 * answer is not empty. If it throws, all ranks throw the same [RankFailedException].
 */
internal suspend fun Communicator.answerFrom(
    root: Int,
    step: String,
    make: suspend () -> ByteBuffer,
): ByteBuffer {
    note(step)
    val made = if (rank == root) runCatching { make() } else null
    val failure = made?.exceptionOrNull()
    if (failure is CancellationException) throw failure
    val answer = broadcast(root, made?.getOrElse { REFUSED })
    if (!answer.hasRemaining()) settleRefused(step, failure)
    return answer
}

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
