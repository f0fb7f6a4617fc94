package dev.cairn.concentrate

import dev.cairn.comm.Communicator
import java.nio.ByteBuffer

/** Asks concentrators for the bytes of one rank, window by window. */
internal class ReadClient(
    private val ranks: Communicator,
    private val set: ServedFile,
    private val request: Request,
    span: ServedFile.Span,
) {
    private val schedule = ClientSchedule(set, request, span)
    private val extents = Extents()
    private val memory = ReusedMemory(ByteBuffer::allocate)
    private var asked = emptyList<ClientSchedule.Due>()

    /** The next window in which this rank has something to ask for. */
    val next: Long get() = schedule.next

    suspend fun announce() =
        set.concentrators.forEachIndexed { server, rank ->
            ranks.send(rank, ConcentratorTags.PIECE, WindowPiece.announcement(schedule.nextFor(server)))
        }

    suspend fun ask(window: Long) {
        asked = schedule.dueIn(window)
        for (due in asked) {
            schedule.pass(due.server)
            due.list(request, extents)
            val question = WindowPiece.message(schedule.nextFor(due.server), extents, 0, memory)
            ranks.send(due.rank, ConcentratorTags.PIECE, question.flip())
        }
    }

    /** Takes the answers to what was asked last. */
    suspend fun take() {
        for (due in asked) {
            val answer = ranks.receive(due.rank, ConcentratorTags.ANSWER)
            if (Answer.goesOn(answer)) due.copy { from, to -> request.copyFrom(answer, from, to) }
        }
        asked = emptyList()
    }
}
