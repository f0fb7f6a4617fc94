package dev.cairn.proof.kill

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import java.nio.file.Path

/**
 * A pipe to the process that started this one: each event is printed before it takes place, one a line. Before the event
 * [pause] all ranks of this program wait until they may continue; the program ends when the pipe is closed.
 */
class EventPipe(private val pause: Pause?) {
    private var count = 0

    /** Events of other threads wait, too, so no event takes place behind one that waits. */
    @Synchronized
    fun say(event: String) {
        tell(event)
        if (event != pause?.event || ++count != pause.occurrence) return
        tell(WAITING)
        readlnOrNull() ?: Runtime.getRuntime().halt(1)
    }

    /** The line must be in the pipe, since the process may be killed next. */
    private fun tell(line: String) {
        println(line)
        System.out.flush()
    }

    companion object {
        const val WAITING = "waiting"
    }
}

/**
 * Where a program waits: before this [occurrence] of an [event], from 1 on. Older saves are deleted meanwhile, so the numbers of all events
 * differ between two runs.
 */
class Pause(val event: String, val occurrence: Int = 1) {
    /** As one word of a command line. */
    override fun toString(): String = "$occurrence $event"

    companion object {
        /** That before event number [index] of these [events]. */
        fun at(events: List<String>, index: Int) =
            Pause(events[index], events.take(index + 1).count { it == events[index] })

        /** Null if [word] is another one. */
        fun parse(word: String): Pause? =
            word.substringBefore(' ').toIntOrNull()?.let { Pause(word.substringAfter(' '), occurrence = it) }
    }
}

/** A store that reports each operation before it is carried out: its kind, and its path relative to [directory]. */
internal class ReportingStore(target: BlockStore, private val directory: Path, private val say: (String) -> Unit) :
    ForwardingStore(target) {
    override fun onOperation(operation: BlockStore.Operation) =
        say("${operation.kind()} ${directory.relativize(operation.path())}")
}
