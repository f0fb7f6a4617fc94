package dev.cairn

import dev.cairn.sion.store.BlockStore
import sun.misc.Signal
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicReference

/** Where wishes of the world outside arrive. Rank 0 asks now and then; any thread may bring one. */
internal fun interface Requests {
    /** The most urgent wish since the last time. */
    fun take(): Request
}

/**
 * Signals to this process: USR1 asks for a save; TERM asks for a save and then for the end, since whoever sends it will not
 * wait long.
 */
internal class SignalRequests : Requests {
    private val pending = AtomicReference(Request.NONE)

    init {
        Signal.handle(Signal("USR1")) { pending.accumulateAndGet(Request.SAVE, ::maxOf) }
        Signal.handle(Signal("TERM")) { pending.accumulateAndGet(Request.STOP, ::maxOf) }
    }

    override fun take(): Request = pending.getAndSet(Request.NONE)
}

/**
 * Files beside the directory of checkpoints, which somebody makes to ask for something: `heat.cairn.save` and
 * `heat.cairn.stop`. Taking a wish removes its file.
 */
internal class FileRequests(
    private val files: BlockStore,
    directory: Path,
) : Requests {
    private val save = directory.resolveSibling("${directory.fileName}.save")
    private val stop = directory.resolveSibling("${directory.fileName}.stop")

    override fun take(): Request = maxOf(take(save, Request.SAVE), take(stop, Request.STOP))

    private fun take(
        file: Path,
        request: Request,
    ): Request {
        if (!files.exists(file)) return Request.NONE
        files.delete(file)
        return request
    }
}
