package dev.cairn.multifile

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.MessageTags
import dev.cairn.ranks.Structure
import dev.cairn.ranks.optional
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
internal class GroupRanks(private val ranks: Communicator, private val collector: Int, private val others: List<Int>) {
    val isCollector: Boolean get() = ranks.rank == collector

    /** On the collector, the values of all ranks, its [own] first; on the others, an empty list. */
    suspend fun <T> gather(message: MessageFields<T>, own: T): List<T> {
        if (isCollector) return listOf(own) + answers().map(message::decode)
        ranks.send(collector, MessageTags.GROUP_ANSWER, message.encode(own))
        return emptyList()
    }

    /** The collector and the chosen ones of the others, which are numbered from 0 in their order. */
    fun only(isChosen: (Int) -> Boolean) =
        GroupRanks(ranks, collector, others.filterIndexed { index, _ -> isChosen(index) })

    /** To be called by the collector: the answers of the others. */
    suspend fun ask(question: Long): List<ByteBuffer> {
        sendAll(question)
        return answers()
    }

    /** To be called by the collector after its last question: ends the others' wait. */
    suspend fun dismiss() = sendAll(null)

    private suspend fun sendAll(question: Long?) {
        val message = GROUP_QUESTION.encode(question)
        others.forEach { ranks.send(it, MessageTags.GROUP_QUESTION, message) }
    }

    private suspend fun answers() = others.map { ranks.receive(it, MessageTags.GROUP_ANSWER) }

    /** To be called by the others: returns when the collector dismisses them. */
    suspend fun answer(answer: (Long) -> ByteBuffer) {
        while (true) {
            val question = GROUP_QUESTION.decode(ranks.receive(collector, MessageTags.GROUP_QUESTION)) ?: return
            ranks.send(collector, MessageTags.GROUP_ANSWER, answer(question))
        }
    }
}

private val QUESTION = Structure(0L) { u64(it) }

/** There is none for a rank that is dismissed. */
private val GROUP_QUESTION =
    MessageFields<Long?>("a collector's question to its group", null) { optional(it, QUESTION) }
