package dev.cairn.proof.kill

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.Operation
import java.nio.file.Path

/**
 * Tells the process that started this one each event before it takes place, one a line. Before event number [pause] this
 * program waits, all ranks of it, until it is told to go on; it ends when nobody is left to tell it.
 */
internal class EventPipe(
    private val pause: Int,
) {
    private var events = 0

    /** Whoever has something to say meanwhile waits, too, so nothing happens behind an event that waits. */
    @Synchronized
    fun say(event: String) {
        tell(event)
        if (++events != pause) return
        tell(WAITING)
        readlnOrNull() ?: Runtime.getRuntime().halt(1)
    }

    /** What was told must be in the pipe, since the next moment may be the last. */
    private fun tell(line: String) {
        println(line)
        System.out.flush()
    }

    companion object {
        const val WAITING = "waiting"
    }
}

/** A store that says each operation before it is carried out: its kind, and the path as seen from [directory]. */
internal class ReportingStore(
    target: BlockStore,
    private val directory: Path,
    private val say: (String) -> Unit,
) : ForwardingStore(target) {
    override fun onOperation(operation: Operation) =
        say("${operation.kind()} ${directory.relativize(operation.path())}")
}
