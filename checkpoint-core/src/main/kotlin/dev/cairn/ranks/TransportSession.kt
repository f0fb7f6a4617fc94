package dev.cairn.ranks

import dev.cairn.event.RanksMissingException
import dev.cairn.event.rankText
import kotlinx.coroutines.yield
import java.nio.ByteBuffer
import kotlin.coroutines.CoroutineContext
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.TimeSource

/**
 * One process' use of its transport, shared by all communicators over it. While it waits for a message it also answers
 * roll calls, and when a limit has passed it holds one.
 */
internal class TransportSession(val transport: Transport, val thread: CoroutineContext, answerTime: Duration) {
    /** The hosts of all ranks; empty until they are known. */
    var hosts: List<String> = emptyList()

    /** The lowest context that this rank has not used. */
    var nextContext = 1

    private val memberships = HashMap<Int, Members>()
    private val lastHeard = HashMap<Int, Sighting>()
    private val start = TimeSource.Monotonic.markNow()
    private val attendance = Attendance(this, answerTime)

    @Volatile private var whereabouts: () -> String = { "has made no call yet" }

    fun join(members: Members) {
        memberships[members.context] = members
    }

    fun note(place: String) {
        whereabouts = { "in '$place'" }
    }

    fun left(call: String) {
        val now = millis()
        whereabouts = { "last seen leaving $call at $now ms" }
    }

    /** Waits for the message of [stay]; throws [RanksMissingException] when its limit has passed. */
    suspend fun take(stay: Stay): ByteBuffer {
        val sender = stay.members.ranks[stay.source]
        val now = millis()
        whereabouts = { "waits in ${stay.text} since $now ms for ${rankText(listOf(stay.source))}" }
        while (true) {
            val message = transport.receive(sender, stay.tag, SLICE.inWholeNanoseconds)
            if (message != null) {
                lastHeard[sender] = Sighting(stay, millis())
                return message
            }
            attendance.attend(stay)
            yield()
        }
    }

    /** The present call of this rank, for others. */
    fun whereabouts(): String = whereabouts.invoke()

    /** The last known call of each other rank, if any. */
    fun sightings(): Map<Int, String> = lastHeard.mapValues { it.value.toString() }

    /** Whether this rank has reached the call with this [tag] and [number], or is past it. */
    fun hasCome(tag: Int, number: Long): Boolean = memberships[Tags.contextOf(tag)]?.hasCome(tag, number) ?: false

    private fun millis() = start.elapsedNow().inWholeMilliseconds

    private class Sighting(private val stay: Stay, private val millis: Long) {
        override fun toString() = "last heard of in ${stay.text} at $millis ms"
    }

    companion object {
        /** The longest time of a wait without answering roll calls. */
        val SLICE = 10.milliseconds
    }
}
