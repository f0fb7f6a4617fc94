package dev.cairn.concentrate

import dev.cairn.comm.Communicator
import dev.cairn.comm.clock
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.withContext
import java.io.IOException
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** The way of one client to its [dedicated] rank, on that rank's [host]. It belongs to the coroutine of the client's rank. */
internal class ClientLine(
    private var ranks: Communicator,
    val dedicated: Int,
    val host: String,
) {
    /** The save that was sent last, which may not be written yet. */
    private var latest: SentPart? = null
    private var isOpen = true

    /** The dedicated rank leaves after the last word of all its clients. */
    fun requireOpen() =
        check(isOpen) {
            "${ranks.name}: the dedicated ranks have left, since dedicate() has returned. Save inside of it"
        }

    /** Begins the part of a save that this client sends, when the part before is written. No answer may take longer than [limit]. */
    suspend fun begin(
        forces: Boolean,
        limit: Duration,
    ): SentPart {
        ranks = ranks.during("hand over what is saved", limit)
        latest?.join()
        return SentPart(this, forces).also { latest = it }
    }

    suspend fun send(delivery: Delivery) = ranks.send(dedicated, DedicatedTags.DELIVERY, DELIVERY.encode(delivery))

    suspend fun awaitAnswer() {
        ranks.receive(dedicated, DedicatedTags.ANSWER)
    }

    val clock: TimeSource.WithComparableMarks get() = ranks.clock
    val limit: Duration get() = ranks.limit

    /** What the process of the dedicated rank was asked for since the last call; 0 if that is nothing. */
    suspend fun pollRequest(): Int = ranks.poll(dedicated, DedicatedTags.REQUEST)?.getLong(0)?.toInt() ?: 0

    /** How far the writing of a part is, if the dedicated rank has told. A cancelled caller does not lose the message. */
    suspend fun pollWriting(): Writing? =
        withContext(NonCancellable) { ranks.poll(dedicated, DedicatedTags.ANSWER) }?.let(WRITING::decode)

    /** As [pollWriting], but a dedicated rank that has not told so far is missed, with a roll call. */
    suspend fun requireWriting(): Writing =
        WRITING.decode(ranks.during(ranks.activity, LAST_CHANCE).receive(dedicated, DedicatedTags.ANSWER))

    /** What became of a part whose writing has ended. */
    fun endOf(writing: Writing): Result<Unit> {
        val failure = writing.failure ?: return Result.success(Unit)
        val sentence = "the dedicated rank $dedicated of ${ranks.name} could not write: ${failure.sentence}"
        return Result.failure(if (failure.isOfDisk) IOException(sentence) else IllegalStateException(sentence))
    }

    /** The program has ended with [result]: returns when everything that it handed over is written. */
    suspend fun end(result: Int) {
        latest?.join()
        leave(result)
    }

    /** The program has failed. */
    suspend fun giveUp() = leave(result = null)

    private suspend fun leave(result: Int?) {
        isOpen = false
        send(Delivery(DeliveryKind.FAREWELL, result = result))
    }

    private companion object {
        val LAST_CHANCE = 1.seconds
    }
}
