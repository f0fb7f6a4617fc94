package dev.cairn.ranks

import dev.cairn.event.CommunicatorException
import dev.cairn.event.RanksMissingException.Absentee
import dev.cairn.event.RollCall
import kotlinx.coroutines.CancellationException
import java.nio.ByteBuffer

/** The messages that one in-process rank has not yet received, and the receivers that have no message yet. */
internal class Mailbox {
    // Most ranks of a large run never get a message; their mailboxes stay empty objects.
    private var messages: HashMap<Address, ArrayDeque<Message>>? = null
    private var receptions: HashMap<Address, ArrayDeque<Reception>>? = null

    @Synchronized
    fun put(address: Address, message: Message) {
        val waiting = receptions?.get(address)
        while (!waiting.isNullOrEmpty()) if (waiting.removeFirst().complete(message)) return
        val queues = messages ?: HashMap<Address, ArrayDeque<Message>>().also { messages = it }
        queues.getOrPut(address, ::ArrayDeque).addLast(message)
    }

    /** Gives [reception] the first message that fits, or the next one that comes. */
    @Synchronized
    fun receive(reception: Reception) {
        val message = messages?.get(reception.address)?.removeFirstOrNull()
        if (message != null) {
            reception.complete(message)
        } else {
            val queues = receptions ?: HashMap<Address, ArrayDeque<Reception>>().also { receptions = it }
            queues.getOrPut(reception.address, ::ArrayDeque).addLast(reception)
        }
    }

    /** The first message that fits, if it may be looked at by [now]. */
    @Synchronized
    fun poll(address: Address, now: Long): Message? {
        val queue = messages?.get(address) ?: return null
        return if (queue.firstOrNull().let { it != null && it.visibleAt <= now }) queue.removeFirst() else null
    }

    /** Whether a message has come that no one has received yet. */
    @Synchronized
    fun holds(address: Address): Boolean = !messages?.get(address).isNullOrEmpty()

    @Synchronized
    fun unreceived(): List<Pair<Address, Message>> =
        messages.orEmpty().flatMap { (address, queue) -> queue.map { address to it } }
}

/** Where a message waits: in one communicator, from one rank, under one tag. */
internal data class Address(val group: SeatGroup, val source: Int, val tag: Int)

/** A message that may be looked at from the time [visibleAt] on. */
internal class Message(val payload: ByteBuffer, val visibleAt: Long)

/** One rank waiting for one message. */
internal class Reception(val address: Address, private val activity: String) : Waiting() {
    private val message = Completion<Message>()

    override val isOpen: Boolean get() = message.isOpen

    /** Whether the receiver still wanted a message. */
    fun complete(message: Message): Boolean = this.message.keep(message).also { wake() }

    fun message(): Message = message.outcome()

    /** A cancelled receiver must not take a later message. */
    fun giveUp(cause: CancellationException) {
        message.breakOff(cause)
    }

    override fun fail(failure: CommunicatorException) {
        if (message.breakOff(failure)) wake()
    }

    override val sharedWait: Any get() = address

    override fun awaited(): String = "rank ${address.source}"

    override fun missingSeats(): List<RankSeat> = listOf(address.group.seats[address.source])

    override fun rollCall(reason: String): RollCall {
        val source = address.group.seats[address.source]
        val absentee = Absentee(address.source, source.host, source.whereabouts())
        return RollCall(toString(), 1, listOf(absentee), reason)
    }

    override fun toString(): String =
        "receive (tag ${address.tag}) of ${address.group.name}" + if (activity.isEmpty()) "" else " during '$activity'"
}
