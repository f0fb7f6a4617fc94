package dev.cairn.dedicated

import dev.cairn.comm.Communicator
import dev.cairn.comm.NOTHING
import dev.cairn.comm.Worker
import dev.cairn.failure.sentence
import dev.cairn.sion.store.BlockStore
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.sync.Semaphore
import java.io.IOException
import java.nio.ByteBuffer
import kotlin.time.Duration

/**
 * A dedicated rank at work. Its [clients] save at the same time: it takes one delivery of each by turns until their parts are whole, and
 * then waits for the next save. Its [worker] writes meanwhile.
 *
 * @param room for deliveries that are not written yet
 */
internal class DedicatedRank(
    ranks: Communicator,
    private val clients: List<Int>,
    private val files: BlockStore,
    private val worker: Worker,
    private val room: Semaphore,
) {
    /** The next save may come at any time. */
    private val ranks = ranks.during("write what other ranks save", Duration.INFINITE)
    private val parts = HashMap<Int, ReceivedPart>()
    private var result: Int? = null

    /** Serves until the programs of all clients have ended; returns their result, or null if they have failed. */
    suspend fun serve(): Int? =
        try {
            coroutineScope {
                var inProgram = clients
                while (inProgram.isNotEmpty()) inProgram = takeSave(inProgram)
            }
            result
        } finally {
            worker.giveUp()
            parts.values.forEach { it.end(Delivery(DeliveryKind.ABANDON)) }
        }

    /** Takes a save of the clients that are [inProgram]; returns those whose programs go on. */
    private suspend fun CoroutineScope.takeSave(inProgram: List<Int>): List<Int> {
        var sending = inProgram
        val ended = HashSet<Int>()
        while (sending.isNotEmpty()) {
            sending =
                sending.filter { client ->
                    val delivery = DELIVERY.decode(ranks.receive(client, DedicatedTags.DELIVERY))
                    if (delivery.kind == DeliveryKind.FAREWELL) {
                        ended += client
                        result = delivery.result
                    }
                    take(client, delivery)
                }
        }
        return inProgram - ended
    }

    /** Returns whether the client sends more of its part. */
    private suspend fun CoroutineScope.take(
        client: Int,
        delivery: Delivery,
    ): Boolean {
        when (delivery.kind) {
            DeliveryKind.BYTES -> {
                parts.getOrPut(client, ::newPart).add(delivery)
                ranks.send(client, DedicatedTags.ANSWER, NOTHING)
                return true
            }

            DeliveryKind.FORCE, DeliveryKind.END, DeliveryKind.ABANDON -> {
                val part = parts.remove(client) ?: newPart()
                part.end(delivery)
                launch { ranks.send(client, DedicatedTags.ANSWER, endOf(part)) }
            }

            DeliveryKind.FAREWELL -> {
                parts.remove(client)?.end(Delivery(DeliveryKind.ABANDON))
            }
        }
        return false
    }

    private fun newPart() = ReceivedPart(files, worker, room)

    private suspend fun endOf(part: ReceivedPart): ByteBuffer {
        val ended = part.written.await()
        return WRITTEN.encode(ended.exceptionOrNull()?.let(::failureOf))
    }

    private fun failureOf(failure: Throwable) =
        when (failure) {
            is IOException -> WriteFailure(failure.sentence(), isOfDisk = true)
            else -> WriteFailure("$failure", isOfDisk = false)
        }
}
