package dev.cairn.concentrate

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.DONE
import dev.cairn.ranks.MessageTags
import dev.cairn.ranks.clock
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.withContext
import java.io.IOException
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** The connection of one client to its [dedicated] rank on [host]. It belongs to the coroutine of the client's rank. */
internal class ClientLine(private var ranks: Communicator, val dedicated: Int, val host: String) {
    /** The save that was sent last, which may not be written yet. */
    private var latest: SentPart? = null
    private var isOpen = true

    /** The dedicated rank leaves after the goodbyes of all its clients. */
    fun requireOpen() =
        check(isOpen) {
            "${ranks.name}: the dedicated ranks have left, since dedicate() has returned. Save inside of it"
        }

    /** Begins the part of a save that this client sends, when its part of the last save is written. An answer may take [limit]. */
    suspend fun begin(forces: Boolean, limit: Duration): SentPart {
        ranks = ranks.during("hand over what is saved", limit)
        latest?.join()
        return SentPart(this, forces).also { latest = it }
    }

    suspend fun send(delivery: Delivery) = ranks.send(dedicated, MessageTags.DELIVERY, DELIVERY.encode(delivery))

    suspend fun awaitAnswer() = DONE.decode(ranks.receive(dedicated, MessageTags.DELIVERY_ANSWER))

    val clock: TimeSource.WithComparableMarks get() = ranks.clock
    val limit: Duration get() = ranks.limit

    /** The request that the process of the dedicated rank received since the last call, or 0. */
    suspend fun pollRequest(): Int = ranks.poll(dedicated, MessageTags.OUTSIDE_REQUEST)?.getLong(0)?.toInt() ?: 0

    /** The next report on the writing of a part, if it has arrived. A cancelled caller does not lose the message. */
    suspend fun pollWriting(): Writing? =
        withContext(NonCancellable) { ranks.poll(dedicated, MessageTags.DELIVERY_ANSWER) }?.let(WRITING::decode)

    /** As [pollWriting], but where no report has arrived, a roll call says that the dedicated rank is missing. */
    suspend fun requireWriting(): Writing =
        WRITING.decode(ranks.during(ranks.activity, LAST_CHANCE).receive(dedicated, MessageTags.DELIVERY_ANSWER))

    /** The result of a part whose writing has ended. */
    fun endOf(writing: Writing): Result<Unit> {
        val failure = writing.failure ?: return Result.success(Unit)
        val sentence = "the dedicated rank $dedicated of ${ranks.name} could not write: ${failure.sentence}"
        return Result.failure(if (failure.isOfDisk) IOException(sentence) else IllegalStateException(sentence))
    }

    /** The program has ended with [result]: returns when all that it has sent is written. */
    suspend fun end(result: Int) {
        latest?.join()
        leave(result)
    }

    /** The program has failed. */
    suspend fun giveUp() = leave(result = null)

    private suspend fun leave(result: Int?) {
        isOpen = false
        send(Delivery(DeliveryKind.GOODBYE, result = result))
    }
}

private val LAST_CHANCE = 1.seconds
