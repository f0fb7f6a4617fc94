package dev.cairn.concentrate

import dev.cairn.event.sentence
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.DONE
import dev.cairn.ranks.MessageTags
import dev.cairn.ranks.Worker
import dev.cairn.ranks.bytesOf
import dev.cairn.sion.store.BlockStore
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.withTimeoutOrNull
import java.io.IOException
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/**
 * A dedicated rank at work. Its [clients] save at the same time: it receives one delivery of each by turns until their parts have ended, and
 * then waits for the next save. Its [worker] writes meanwhile.
 *
 * @param room one permit for each delivery that may wait until it is written
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

    /**
     * Serves until the programs of all clients have ended; returns their result, or null if they have failed.
     *
     * @param takeRequest returns the request that this process received since the last call, or 0; it is passed on to a client. Null if
     *     other ranks of this process take its requests
     */
    suspend fun serve(takeRequest: (suspend () -> Int)? = null): Int? =
        try {
            coroutineScope {
                val passing = takeRequest?.let { launch { passOn(it) } }
                var inProgram = clients
                while (inProgram.isNotEmpty()) inProgram = takeSave(inProgram)
                passing?.cancel()
            }
            result
        } finally {
            worker.giveUp()
            parts.values.forEach { it.end(Delivery(DeliveryKind.ABANDON)) }
        }

    private suspend fun passOn(takeRequest: suspend () -> Int) {
        while (true) {
            val request = takeRequest()
            if (request != 0) ranks.send(clients.first(), MessageTags.OUTSIDE_REQUEST, bytesOf(request.toLong()))
            delay(BETWEEN_REQUESTS)
        }
    }

    /** Takes a save of the clients that are [inProgram]; returns those whose programs go on. */
    private suspend fun CoroutineScope.takeSave(inProgram: List<Int>): List<Int> {
        var sending = inProgram
        val ended = HashSet<Int>()
        while (sending.isNotEmpty()) {
            sending =
                sending.filter { client ->
                    val delivery = DELIVERY.decode(ranks.receive(client, MessageTags.DELIVERY))
                    if (delivery.kind == DeliveryKind.GOODBYE) {
                        ended += client
                        result = delivery.result
                    }
                    take(client, delivery)
                }
        }
        return inProgram - ended
    }

    /** Returns whether the client sends more of its part. */
    private suspend fun CoroutineScope.take(client: Int, delivery: Delivery): Boolean {
        when (delivery.kind) {
            DeliveryKind.BYTES -> {
                parts.getOrPut(client, ::newPart).add(delivery)
                ranks.send(client, MessageTags.DELIVERY_ANSWER, DONE.encode(Unit))
                return true
            }

            DeliveryKind.FORCE, DeliveryKind.END, DeliveryKind.ABANDON -> {
                val part = parts.remove(client) ?: newPart()
                part.end(delivery)
                launch { answer(client, part) }
            }

            DeliveryKind.GOODBYE -> {
                parts.remove(client)?.end(Delivery(DeliveryKind.ABANDON))
            }
        }
        return false
    }

    private suspend fun answer(client: Int, part: ReceivedPart) {
        while (withTimeoutOrNull(BETWEEN_REPORTS) { part.written.join() } == null) {
            ranks.send(client, MessageTags.DELIVERY_ANSWER, WRITING.encode(Writing(isUnderWay = true)))
        }
        ranks.send(client, MessageTags.DELIVERY_ANSWER, WRITING.encode(endOf(part)))
    }

    private fun newPart() = ReceivedPart(files, worker, room)

    private suspend fun endOf(part: ReceivedPart): Writing {
        val ended = part.written.await()
        return Writing(isUnderWay = false, ended.exceptionOrNull()?.let(::failureOf))
    }

    private fun failureOf(failure: Throwable) =
        when (failure) {
            is IOException -> WriteFailure(failure.sentence(), isOfDisk = true)
            else -> WriteFailure("$failure", isOfDisk = false)
        }
}

private val BETWEEN_REQUESTS = 100.milliseconds

/** Shorter than any limit that makes sense. */
private val BETWEEN_REPORTS = 1.seconds
