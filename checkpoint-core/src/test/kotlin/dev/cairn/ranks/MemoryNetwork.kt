package dev.cairn.ranks

import java.nio.ByteBuffer
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.withLock

/** The plainest transports there can be: they send and receive, and nothing more. One thread for each. */
internal class MemoryNetwork(private val size: Int) {
    private val mailboxes = List(size) { Mailbox() }

    fun transport(rank: Int): Transport = End(rank)

    private class Letter(val source: Int, val tag: Int, val payload: ByteBuffer)

    private class Mailbox {
        private val lock = ReentrantLock()
        private val arrival = lock.newCondition()
        private val letters = ArrayList<Letter>()

        fun put(letter: Letter) =
            lock.withLock {
                letters.add(letter)
                arrival.signalAll()
            }

        fun take(nanos: Long, wanted: (Letter) -> Boolean): ByteBuffer? =
            lock.withLock {
                var left = nanos
                while (letters.none(wanted) && left > 0) left = arrival.awaitNanos(left)
                letters.indexOfFirst(wanted).takeIf { it >= 0 }?.let { letters.removeAt(it).payload }
            }
    }

    private inner class End(override val rank: Int) : Transport {
        override val size get() = this@MemoryNetwork.size
        override val host = "node${rank / 4}"

        override fun send(target: Int, tag: Int, payload: ByteBuffer) {
            val copy = ByteBuffer.allocate(payload.remaining()).put(payload.duplicate()).flip()
            mailboxes[target].put(Letter(rank, tag, copy))
        }

        override fun receive(source: Int, tag: Int, nanos: Long): ByteBuffer? =
            mailboxes[rank].take(nanos) { letter ->
                letter.tag == tag && (source < 0 || source == letter.source)
            }

        override fun abort(reason: String): Unit = error(reason)

        override fun close() = Unit
    }
}
