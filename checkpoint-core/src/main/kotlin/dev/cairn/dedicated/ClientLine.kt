package dev.cairn.dedicated

import dev.cairn.comm.Communicator
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.withContext
import java.io.IOException
import java.nio.ByteBuffer

/** The way of one client to its [dedicated] rank. It belongs to the coroutine of its rank. */
internal class ClientLine(
    private val ranks: Communicator,
    private val dedicated: Int,
) {
    /** The save that was sent last, which may not be written yet. */
    private var latest: SentPart? = null
    private var isOpen = true

    /** The dedicated rank leaves after the last word of all its clients. */
    fun requireOpen() =
        check(isOpen) {
            "${ranks.name}: the dedicated ranks have left, since dedicate() has returned. Save inside of it"
        }

    /** Begins the part of a save that this client sends, when the part before is written. */
    suspend fun begin(forces: Boolean): SentPart {
        latest?.join()
        return SentPart(this, forces).also { latest = it }
    }

    suspend fun send(delivery: Delivery) = ranks.send(dedicated, DedicatedTags.DELIVERY, DELIVERY.encode(delivery))

    suspend fun awaitAnswer() {
        ranks.receive(dedicated, DedicatedTags.ANSWER)
    }

    /** How the writing of a part has ended, if the dedicated rank has told. A cancelled caller does not lose the message. */
    suspend fun pollEnd(): Result<Unit>? =
        withContext(NonCancellable) { ranks.poll(dedicated, DedicatedTags.ANSWER) }?.let(::endOf)

    private fun endOf(message: ByteBuffer): Result<Unit> {
        val failure = WRITTEN.decode(message) ?: return Result.success(Unit)
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
}
