package dev.cairn.concentrate

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.MessageTags
import java.nio.ByteBuffer

/** Asks concentrators for the bytes of one rank, window by window. */
internal class ReadClient(
    private val ranks: Communicator,
    private val set: ServedFile,
    private val request: Request,
    private val span: ServedFile.Span,
) {
    private val schedule = WindowSchedule(set, span) { _, from, to -> request.nextByte(from) < to }
    private val extents = Extents()
    private val memory = ReusedMemory(ByteBuffer::allocate)
    private var asked = emptyList<Int>()
    private var askedWindow = 0L

    /** The next window in which this rank has something to ask for. */
    val next: Long get() = schedule.next

    suspend fun announce() =
        set.concentrators.forEachIndexed { server, rank ->
            ranks.send(rank, MessageTags.WINDOW_PIECE, WindowPiece.announcement(schedule.nextFor(server)))
        }

    suspend fun ask(window: Long) {
        askedWindow = window
        asked = schedule.serversIn(window)
        for (server in asked) {
            schedule.pass(server)
            set.windowOf(server, window, span).list(request, extents)
            val question = WindowPiece.message(schedule.nextFor(server), extents.encodedSize, memory)
            extents.write(question)
            ranks.send(set.concentrators[server], MessageTags.WINDOW_PIECE, question.flip())
        }
    }

    /** Takes the answers to what was asked last. */
    suspend fun take() {
        for (server in asked) {
            val answer = ranks.receive(set.concentrators[server], MessageTags.WINDOW_ANSWER)
            if (!Answer.goesOn(answer)) continue
            set.windowOf(server, askedWindow, span).copy { from, to -> request.copyFrom(answer, from, to) }
        }
        asked = emptyList()
    }
}
