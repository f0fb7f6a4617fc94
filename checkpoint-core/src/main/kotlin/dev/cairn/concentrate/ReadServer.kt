package dev.cairn.concentrate

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.MessageTags
import java.nio.ByteBuffer

/**
 * Reads for all ranks on a concentrator, window by window: the union of what they ask for, in whole frames and with small holes.
 * After a failure it answers every question with that.
 *
 * @param readSubFile reads from the sub-files of this concentrator
 */
internal class ReadServer(
    private val ranks: Communicator,
    private val set: ServedFile,
    private val span: ServedFile.Span,
    private val readSubFile: SubFileAccess,
) {
    private val server = set.concentrators.indexOf(ranks.rank)
    private val next = LongArray(ranks.size)
    private val memory = ReusedMemory(::directMemory)

    /** Why this concentrator does not read any more. */
    var failure: Throwable? = null
        private set

    val nextWindow: Long get() = next.min()

    /** Receives from all ranks their first windows. */
    suspend fun admit() {
        for (client in 0 until ranks.size) next[client] = receive(client).next
    }

    suspend fun serve(window: Long) {
        val clients = next.indices.filter { next[it] == window }
        val questions = clients.map { receive(it) }
        val extents = attempt { questions.map { it.readExtents() } }
        val share = attempt { read(window, extents!!) }
        clients.forEachIndexed { index, client ->
            next[client] = questions[index].next
            val answer = attempt { answer(extents!![index], share!!) } ?: Answer.STOP
            ranks.send(client, MessageTags.WINDOW_ANSWER, answer)
        }
    }

    private suspend fun receive(client: Int) = WindowPiece.read(ranks.receive(client, MessageTags.WINDOW_PIECE))

    private fun read(window: Long, questions: List<Extents>): WindowMemory {
        val share = WindowMemory(set.windowOf(server, window, span), memory)
        val coverage = WindowCoverage()
        for (extents in questions) {
            share.forEachFrame(extents, set.frameSize) { position, length -> coverage.add(owner = 0, position, length) }
        }
        coverage.forEachUnion(LARGEST_HOLE) { from, to -> share.forEachRange(from, to, readSubFile) }
        return share
    }

    private fun answer(extents: Extents, share: WindowMemory): ByteBuffer {
        val answer = Answer.message(Math.toIntExact(extents.byteCount))
        share.forEachPosition(extents) { position, length -> answer.put(share.bytes.slice(position, length)) }
        return answer.flip()
    }

    private inline fun <T> attempt(work: () -> T): T? {
        if (failure != null) return null
        return runCatching(work).onFailure { failure = it }.getOrNull()
    }
}

/** Reading this many bytes takes less time than another read. */
private const val LARGEST_HOLE = 64 shl 10
