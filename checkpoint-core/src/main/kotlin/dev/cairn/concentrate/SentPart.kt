package dev.cairn.concentrate

import dev.cairn.multifile.WriteBatch
import dev.cairn.sion.store.PositionedOutput
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.delay
import java.nio.ByteBuffer
import kotlin.time.Duration.Companion.milliseconds

/**
 * The part of a save that one client sends. The [output][into] batches the writes, and [flush] sends them. Beyond [MOST_GATHERED]
 * bytes without a flush, bytes go into the file at once: the writes of a save do not overlap, so their order does not matter.
 *
 * @param forces whether the dedicated rank forces what it has written
 */
internal class SentPart(private val line: ClientLine, private val forces: Boolean) {
    private val batch = WriteBatch(MOST_GATHERED, ::messagesFor)

    /** Memory of messages that were sent, for the next ones: new memory would be filled with zeros, and collected afterwards. */
    private val sentMemory = ArrayDeque<ByteBuffer>()
    private var file = ""
    private var unanswered = 0
    private val end = CompletableDeferred<Result<Unit>>()
    private var hasEnded = false

    /** When the last message of the dedicated rank arrived. */
    private var lastReport = line.clock.markNow()

    /** The result of the dedicated rank's writing; completed by [look] and [join]. */
    val written: Deferred<Result<Unit>> get() = end

    /** The bytes that this rank has written itself. */
    val notSent: Long get() = batch.refusedCount

    /** An output that sends what is written to it, in place of [file]. All writes of a save go into one file. */
    fun into(file: PositionedOutput): PositionedOutput {
        this.file = "${file.path()}"
        return batch.output(file.path(), file::write)
    }

    private fun messagesFor(byteCount: Long) =
        (0 until byteCount step MESSAGE_SIZE.toLong()).map {
            sentMemory.removeFirstOrNull()
                ?: ByteBuffer.allocate(MESSAGE_SIZE)
        }

    /** Sends full messages only, since a dedicated rank counts messages and not their bytes. */
    suspend fun flush() {
        while (batch.byteCount >= MESSAGE_SIZE) sendFirst()
    }

    private suspend fun sendFirst() {
        if (unanswered == WINDOW) awaitAnswer()
        val runs = batch.takeFirst(MESSAGE_SIZE)
        line.send(Delivery(DeliveryKind.BYTES, file, runs))
        unanswered++
        // Those of a full message fill the memory of one, which a message has copied.
        sentMemory += ByteBuffer.wrap(runs.first { it.bytes.hasRemaining() }.bytes.array())
    }

    private suspend fun awaitAnswer() {
        line.awaitAnswer()
        unanswered--
    }

    /** Returns when the dedicated rank has received all bytes. It drops those of a part that is not [whole][isWhole]. */
    suspend fun end(isWhole: Boolean) {
        if (isWhole) while (batch.byteCount > 0) sendFirst()
        val kind =
            when {
                !isWhole -> DeliveryKind.ABANDON
                forces -> DeliveryKind.FORCE
                else -> DeliveryKind.END
            }
        line.send(Delivery(kind))
        while (unanswered > 0) awaitAnswer()
        lastReport = line.clock.markNow()
    }

    /** Takes the reports that have arrived, and does not wait. */
    suspend fun look() {
        while (!hasEnded) take(line.pollWriting() ?: return)
    }

    private fun take(writing: Writing) {
        lastReport = line.clock.markNow()
        if (writing.isUnderWay) return
        hasEnded = true
        end.complete(line.endOf(writing))
    }

    /** Returns when the dedicated rank has written or dropped all bytes. That may take any time, while reports arrive. */
    suspend fun join() {
        look()
        while (!hasEnded) {
            delay(BETWEEN_LOOKS)
            look()
            if (!hasEnded && lastReport.elapsedNow() > line.limit) take(line.requireWriting())
        }
    }

    /** The program does not wait for the end any more. */
    fun giveUp() {
        end.complete(Result.failure(CancellationException("the program has ended")))
    }

    companion object {
        /** The most bytes of a message. With all else in it, it has less than 2 MiB: the Java heap holds large arrays in whole regions. */
        const val MESSAGE_SIZE = (2 shl 20) - (4 shl 10)
        private const val MOST_GATHERED = 8L * MESSAGE_SIZE

        /** While some messages are on their way, the next ones are filled. */
        private const val WINDOW = 4
        private val BETWEEN_LOOKS = 2.milliseconds
    }
}
