package dev.cairn.concentrate

import dev.cairn.sion.store.PositionedOutput
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.delay
import java.nio.ByteBuffer
import kotlin.time.Duration.Companion.milliseconds

/**
 * What one client hands over of one save. Its [outputs][into] gather what is written, and [flush] sends that. Beyond [MOST_GATHERED]
 * bytes without a flush, bytes go into the file at once: the writes of a save do not overlap, so their order does not matter.
 *
 * @param forces whether the dedicated rank forces what it has written
 */
internal class SentPart(
    private val line: ClientLine,
    private val forces: Boolean,
) {
    private val parcels = ArrayDeque<Parcel>()
    private var unanswered = 0
    private val end = CompletableDeferred<Result<Unit>>()
    private var isTold = false

    /** When the dedicated rank was last heard of. */
    private var lastSign = line.clock.markNow()

    /** How the dedicated rank has written all that it was sent; completed by [look] and [join]. */
    val written: Deferred<Result<Unit>> get() = end

    /** The bytes that this rank has written itself. */
    var notSent = 0L
        private set

    /** An output that hands over what is written to it, in place of [file]. */
    fun into(file: PositionedOutput): PositionedOutput =
        object : PositionedOutput {
            override fun path() = file.path()

            override fun write(
                position: Long,
                source: ByteBuffer,
            ) {
                if (parcels.sumOf { it.byteCount } + source.remaining() > MOST_GATHERED) {
                    notSent += source.remaining()
                    file.write(position, source)
                } else {
                    gather("${file.path()}", position, source)
                }
            }
        }

    private fun gather(
        file: String,
        position: Long,
        source: ByteBuffer,
    ) {
        var next = position
        while (source.hasRemaining()) {
            val before = source.position()
            parcelFor(file).put(next, source)
            next += source.position() - before
        }
    }

    private fun parcelFor(file: String): Parcel =
        parcels.lastOrNull()?.takeIf { it.file == file && it.room > 0 } ?: Parcel(file).also(parcels::add)

    /** Sends what fills whole messages, since a dedicated rank counts messages and not their bytes. */
    suspend fun flush() {
        while (parcels.size > 1 || parcels.lastOrNull()?.room == 0) sendFirst()
    }

    private suspend fun sendFirst() {
        if (unanswered == WINDOW) awaitAnswer()
        line.send(parcels.removeFirst().toDelivery())
        unanswered++
    }

    private suspend fun awaitAnswer() {
        line.awaitAnswer()
        unanswered--
    }

    /** Returns when the dedicated rank has everything. If this part is not [whole][isWhole], it need not write the rest. */
    suspend fun end(isWhole: Boolean) {
        if (isWhole) while (parcels.isNotEmpty()) sendFirst()
        val kind =
            when {
                !isWhole -> DeliveryKind.ABANDON
                forces -> DeliveryKind.FORCE
                else -> DeliveryKind.END
            }
        line.send(Delivery(kind))
        while (unanswered > 0) awaitAnswer()
        lastSign = line.clock.markNow()
    }

    /** Learns whether everything [is written][written], and does not wait. */
    suspend fun look() {
        while (!isTold) take(line.pollWriting() ?: return)
    }

    private fun take(writing: Writing) {
        lastSign = line.clock.markNow()
        if (writing.isUnderWay) return
        isTold = true
        end.complete(line.endOf(writing))
    }

    /**
     * Returns when the dedicated rank has written, or dropped, what it was sent. That may take any time, but it shows from time to time
     * that it lives.
     */
    suspend fun join() {
        look()
        while (!isTold) {
            delay(BETWEEN_LOOKS)
            look()
            if (!isTold && lastSign.elapsedNow() > line.limit) take(line.requireWriting())
        }
    }

    /** The program does not wait for the end any more. */
    fun giveUp() {
        end.complete(Result.failure(CancellationException("the program has ended")))
    }

    private companion object {
        const val MOST_GATHERED = 8L * Parcel.SIZE

        /** While some messages are on their way, the next ones are filled. */
        const val WINDOW = 4
        val BETWEEN_LOOKS = 2.milliseconds
    }
}
