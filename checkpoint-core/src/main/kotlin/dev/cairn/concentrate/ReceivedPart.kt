package dev.cairn.concentrate

import dev.cairn.multifile.write
import dev.cairn.ranks.Worker
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.sync.Semaphore
import java.nio.file.Path

/**
 * The part of a save that a dedicated rank receives from one client: [worker] writes it while more arrives.
 *
 * @param room one permit for each delivery that may wait until it is written
 */
internal class ReceivedPart(private val files: BlockStore, private val worker: Worker, private val room: Semaphore) {
    private val deliveries = Channel<Delivery>(Channel.UNLIMITED)

    /** Opened and closed by the worker. All writes of a rank in a save go into one physical file. */
    private var file: BlockFile? = null

    /** How the writing has ended. */
    val written: Deferred<Result<Unit>> = worker.start { writeAll() }

    /** Returns when there is room for the bytes of [delivery]. */
    suspend fun add(delivery: Delivery) {
        room.acquire()
        deliveries.send(delivery)
    }

    /** The part ends with [last], which says whether it is whole. */
    fun end(last: Delivery) {
        deliveries.trySend(last)
        deliveries.close()
    }

    /** After a failure, deliveries are received and dropped, so that the client can send the rest. */
    private suspend fun writeAll() {
        var failure: Throwable? = null
        try {
            for (delivery in deliveries) {
                try {
                    if (failure == null) write(delivery)
                } catch (thrown: Exception) {
                    failure = thrown
                } finally {
                    if (delivery.kind == DeliveryKind.BYTES) room.release()
                }
            }
        } finally {
            file.use { failure?.let { throw it } }
        }
    }

    private suspend fun write(delivery: Delivery) {
        worker.pause()
        if (delivery.kind == DeliveryKind.FORCE) file?.force()
        if (delivery.kind == DeliveryKind.BYTES) fileOf(delivery).let { delivery.runs.forEach(it::write) }
    }

    private fun fileOf(delivery: Delivery): BlockFile {
        val file = file ?: files.open(Path.of(delivery.file), Access.READ_WRITE).also { file = it }
        check("${file.path()}" == delivery.file) { "bytes of one save for ${file.path()} and ${delivery.file}" }
        return file
    }
}
