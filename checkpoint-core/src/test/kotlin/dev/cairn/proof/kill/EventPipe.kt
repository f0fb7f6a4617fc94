package dev.cairn.proof.kill

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.Operation
import java.nio.file.Path

/**
 * A pipe to the process that started this one: each event is printed before it takes place, one a line. Before event
 * number [pause] all ranks of this program wait until they may continue; the program ends when the pipe is closed.
 */
class EventPipe(
    private val pause: Int,
) {
    private var events = 0

    /** Events of other threads wait, too, so no event takes place behind one that waits. */
    @Synchronized
    fun say(event: String) {
        tell(event)
        if (++events != pause) return
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

/** A store that reports each operation before it is carried out: its kind, and its path relative to [directory]. */
internal class ReportingStore(
    target: BlockStore,
    private val directory: Path,
    private val say: (String) -> Unit,
) : ForwardingStore(target) {
    override fun onOperation(operation: Operation) =
        say("${operation.kind()} ${directory.relativize(operation.path())}")
}
