package dev.cairn.multifile.task

import dev.cairn.comm.Communicator
import dev.cairn.comm.MessageFields
import dev.cairn.comm.NOTHING
import dev.cairn.comm.view
import java.nio.ByteBuffer

/**
 * The ranks of a group, as one of them sees them: the collector asks, the others answer until they are dismissed. So it
 * has no more to keep than what it asked for.
 *
 * Messages and no communicator of their own: a program may write very many multifiles, and a transport can tell only so
 * many communicators apart.
 *
 * @property others the ranks beside the collector, if this rank is it; otherwise none
 */
internal class GroupRanks(
    private val ranks: Communicator,
    private val collector: Int,
    private val others: List<Int>,
) {
    val isCollector: Boolean get() = ranks.rank == collector

    /** Gives the collector what each rank brings, its own first, and an empty list to the others. */
    suspend fun gather(own: ByteBuffer): List<ByteBuffer> {
        if (isCollector) return listOf(own.view()) + others.map { ranks.receive(it, ANSWER) }
        ranks.send(collector, ANSWER, own)
        return emptyList()
    }

    /** Those of the others that are chosen, with the collector; they are numbered from 0, in their order. */
    fun only(isChosen: (Int) -> Boolean) =
        GroupRanks(ranks, collector, others.filterIndexed { index, _ -> isChosen(index) })

    /** To be called by the collector: what the others answer. */
    suspend fun ask(question: Long): List<ByteBuffer> {
        val payload = GROUP_QUESTION.encode(question)
        others.forEach { ranks.send(it, QUESTION, payload) }
        return others.map { ranks.receive(it, ANSWER) }
    }

    /** To be called by the collector when it has no more to ask: an empty message says so. */
    suspend fun dismiss() = others.forEach { ranks.send(it, QUESTION, NOTHING) }

    /** To be called by the others: returns when the collector has no more to ask. */
    suspend fun answer(answer: (Long) -> ByteBuffer) {
        while (true) {
            val question = ranks.receive(collector, QUESTION)
            if (!question.hasRemaining()) return
            ranks.send(collector, ANSWER, answer(GROUP_QUESTION.decode(question)))
        }
    }
}

private val GROUP_QUESTION = MessageFields("what a collector asks its group", 0L) { u64(it) }

// Multifiles end between two collectives of the program, and take the communicator's largest tags for that.
private const val QUESTION = Communicator.LARGEST_TAG
private const val ANSWER = Communicator.LARGEST_TAG - 1
internal const val READY = Communicator.LARGEST_TAG - 2
internal const val FRAME = Communicator.LARGEST_TAG - 3
