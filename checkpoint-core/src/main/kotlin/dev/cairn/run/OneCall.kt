package dev.cairn.run

import dev.cairn.ranks.ProgramCode
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicReference

/**
 * Allows one call at a time of a rank to its checkpoints in [directory]. Two threads or coroutines of one rank would mix the messages of
 * their calls, and the state would change under a save.
 */
internal class OneCall(private val directory: Path) {
    private val present = AtomicReference<String>()

    /** Runs [body] for the program's [call]; refuses it while another call has not returned. */
    inline fun <R> during(call: String, body: () -> R): R {
        enter(call)
        try {
            return body()
        } finally {
            present.set(null)
        }
    }

    fun enter(call: String) {
        // Code of the program within a call is on the thread of that call.
        ProgramCode.requireNone()
        val other = present.compareAndExchange(null, call) ?: return
        error(
            "two threads or coroutines call the checkpoints in $directory at the same time: $call has begun " +
                "before $other has returned, and was refused. Let one of them make all calls, or let each wait " +
                "until the other's call has returned.",
        )
    }
}
