package dev.cairn.multifile

import dev.cairn.comm.Communicator
import dev.cairn.comm.MessageFields
import dev.cairn.comm.NOTHING
import dev.cairn.comm.view
import java.nio.ByteBuffer

/**
 * The ranks of a group, from the side of one of them. The collector sends questions, and the others answer until they are
 * dismissed. So the collector holds only the bytes that it has asked for.
 *
 * A group uses messages and has no communicator of its own: a program may write very many multifiles, and the number of
 * communicators of a transport is limited.
 *
 * @property others the ranks beside the collector, if this rank is the collector; otherwise empty
 */
internal class GroupRanks(
    private val ranks: Communicator,
    private val collector: Int,
    private val others: List<Int>,
) {
    val isCollector: Boolean get() = ranks.rank == collector

    /** On the collector, the payloads of all ranks, its own first; on the others, an empty list. */
    suspend fun gather(own: ByteBuffer): List<ByteBuffer> {
        if (isCollector) return listOf(own.view()) + others.map { ranks.receive(it, ANSWER) }
        ranks.send(collector, ANSWER, own)
        return emptyList()
    }

    /** The collector and the chosen ones of the others, which are numbered from 0 in their order. */
    fun only(isChosen: (Int) -> Boolean) =
        GroupRanks(ranks, collector, others.filterIndexed { index, _ -> isChosen(index) })

    /** To be called by the collector: the answers of the others. */
    suspend fun ask(question: Long): List<ByteBuffer> {
        val payload = GROUP_QUESTION.encode(question)
        others.forEach { ranks.send(it, QUESTION, payload) }
        return others.map { ranks.receive(it, ANSWER) }
    }

    /** To be called by the collector after its last question: an empty message ends the others' wait. */
    suspend fun dismiss() = others.forEach { ranks.send(it, QUESTION, NOTHING) }

    /** To be called by the others: returns when the collector dismisses them. */
    suspend fun answer(answer: (Long) -> ByteBuffer) {
        while (true) {
            val question = ranks.receive(collector, QUESTION)
            if (!question.hasRemaining()) return
            ranks.send(collector, ANSWER, answer(GROUP_QUESTION.decode(question)))
        }
    }
}

private val GROUP_QUESTION = MessageFields("a collector's question to its group", 0L) { u64(it) }

// A multifile is closed between two collectives of the program, and uses the communicator's largest tags for that.
private const val QUESTION = Communicator.LARGEST_TAG
private const val ANSWER = Communicator.LARGEST_TAG - 1
internal const val READY = Communicator.LARGEST_TAG - 2
internal const val FRAME = Communicator.LARGEST_TAG - 3
