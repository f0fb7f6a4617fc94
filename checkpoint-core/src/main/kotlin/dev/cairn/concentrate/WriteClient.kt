package dev.cairn.concentrate

import dev.cairn.comm.Communicator
import java.nio.ByteBuffer

/** Sends the bytes of one rank to the concentrators, window by window. */
internal class WriteClient(
    private val ranks: Communicator,
    private val set: ServedFile,
    private val request: Request,
    span: ServedFile.Span,
) {
    private val schedule = ClientSchedule(set, request, span)
    private val freeWindows = WindowGrants.freeWindows(set, span)
    private val extents = Extents()
    private val memory = ReusedMemory(ByteBuffer::allocate)

    /** The next window in which this rank has something to send. */
    val next: Long get() = schedule.next

    suspend fun announce() =
        set.concentrators.forEachIndexed { server, rank ->
            ranks.send(rank, ConcentratorTags.PIECE, WindowPiece.announcement(schedule.nextFor(server)))
        }

    suspend fun send(window: Long) = schedule.dueIn(window).forEach { sendTo(it, window) }

    private suspend fun sendTo(
        due: ClientSchedule.Due,
        window: Long,
    ) {
        if (window !in freeWindows && !Answer.goesOn(ranks.receive(due.rank, ConcentratorTags.ANSWER))) {
            schedule.giveUp(due.server)
            return
        }
        schedule.pass(due.server)
        due.list(request, extents)
        val message = WindowPiece.message(schedule.nextFor(due.server), extents, extents.byteCount, memory)
        due.copy { from, to -> request.copyTo(message, from, to) }
        ranks.send(due.rank, ConcentratorTags.PIECE, message.flip())
    }
}
