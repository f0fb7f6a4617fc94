package dev.cairn.concentrate

import dev.cairn.comm.Worker
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.sync.Semaphore
import java.nio.file.Path

/**
 * What a dedicated rank has received of one client's part of a save: [worker] writes it while more comes.
 *
 * @param room one permit for each delivery that may wait until it is written
 */
internal class ReceivedPart(
    private val files: BlockStore,
    private val worker: Worker,
    private val room: Semaphore,
) {
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

    /** Nothing more comes: [last] says what becomes of this part. */
    fun end(last: Delivery) {
        deliveries.trySend(last)
        deliveries.close()
    }

    /** After a failure, what comes is taken and not written: the client has to get rid of it. */
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
        if (delivery.kind == DeliveryKind.BYTES) fileOf(delivery).write(delivery)
    }

    private fun fileOf(delivery: Delivery): BlockFile {
        val file = file ?: files.open(Path.of(delivery.file), Access.READ_WRITE).also { file = it }
        check("${file.path()}" == delivery.file) { "bytes of one save for ${file.path()} and ${delivery.file}" }
        return file
    }
}

private fun BlockFile.write(delivery: Delivery) {
    var from = delivery.bytes.position()
    for (index in delivery.extents.indices step 2) {
        val length = Math.toIntExact(delivery.extents[index + 1])
        write(delivery.extents[index], delivery.bytes.slice(from, length))
        from += length
    }
}
