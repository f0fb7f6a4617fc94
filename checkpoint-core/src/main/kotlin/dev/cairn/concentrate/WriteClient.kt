package dev.cairn.concentrate

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.MessageTags
import java.nio.ByteBuffer

/**
 * Sends the bytes of one rank to the concentrators, window by window. When it cannot read them any more, it goes on with others in their
 * place, since the concentrators wait for what was announced.
 *
 * @param process the requests of this process, whose concentrators copy the bytes themselves
 */
internal class WriteClient(
    private val ranks: Communicator,
    private val set: ServedFile,
    private val request: Request,
    private val span: ServedFile.Span,
    process: ProcessRequests,
) {
    private val receivers = set.concentrators.indices.filterNot { process.areCopied(ranks.rank, set.concentrators[it]) }
    private val schedule =
        WindowSchedule(set, span) { server, from, to -> server in receivers && request.nextByte(from) < to }
    private val freeWindows = set.freeWindows(span)
    private val memory = ReusedMemory(ByteBuffer::allocate)

    /** Why this rank does not read its bytes any more. */
    var failure: Throwable? = null
        private set

    /** The next window in which this rank has something to send. */
    val next: Long get() = schedule.next

    suspend fun announce() =
        receivers.forEach { server ->
            val announcement = WindowPiece.announcement(schedule.nextFor(server))
            ranks.send(set.concentrators[server], MessageTags.WINDOW_PIECE, announcement)
        }

    suspend fun send(window: Long) = schedule.serversIn(window).forEach { sendTo(it, window) }

    private suspend fun sendTo(server: Int, window: Long) {
        val rank = set.concentrators[server]
        if (window !in freeWindows && !Answer.goesOn(ranks.receive(rank, MessageTags.WINDOW_ANSWER))) {
            schedule.giveUp(server)
            return
        }
        schedule.pass(server)
        val piece = pieceOf(set.slicesOf(server, window, span), schedule.nextFor(server))
        ranks.send(rank, MessageTags.WINDOW_PIECE, piece)
    }

    private fun pieceOf(slices: List<WindowSlice>, next: Long): ByteBuffer {
        val extents = slices.map { slice -> Extents().also { slice.list(request, it) } }
        val message = WindowPiece.message(next, extents.sumOf { it.encodedSize + it.byteCount }, memory)
        slices.zip(extents) { slice, ofSlice ->
            ofSlice.write(message)
            val end = message.position() + ofSlice.byteCount.toInt()
            attempt { slice.copy { from, to -> request.copyTo(message, from, to) } }
            message.position(end)
        }
        return message.flip()
    }

    private inline fun attempt(read: () -> Unit) {
        if (failure == null) failure = runCatching(read).exceptionOrNull()
    }
}
