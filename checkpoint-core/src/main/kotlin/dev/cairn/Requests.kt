package dev.cairn

import dev.cairn.sion.store.BlockStore
import dev.cairn.store.saveFileOf
import dev.cairn.store.sentence
import dev.cairn.store.stopFileOf
import sun.misc.Signal
import java.io.IOException
import java.lang.System.Logger.Level.WARNING
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicReference

/** Where wishes of the world outside arrive. Ranks ask now and then; any thread may bring one. */
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
    files: BlockStore,
    directory: Path,
) : Requests {
    private val wishes =
        listOf(
            WishFile(files, saveFileOf(directory), Request.SAVE),
            WishFile(files, stopFileOf(directory), Request.STOP),
        )

    override fun take(): Request = wishes.maxOf(WishFile::take)
}

/** A file whose being there is a [request]. Trouble with the disk is no wish, and does not end the run. */
private class WishFile(
    private val files: BlockStore,
    private val file: Path,
    private val request: Request,
) {
    private var isUnreadable = false

    fun take(): Request =
        try {
            takeNow().also { isUnreadable = false }
        } catch (failure: IOException) {
            Request.NONE.also { warn(failure) }
        }

    private fun takeNow(): Request {
        if (!files.exists(file)) return Request.NONE
        files.delete(file)
        return request
    }

    /** Once, since it is asked for a few times a second. */
    private fun warn(failure: IOException) {
        if (!isUnreadable) {
            LOG.log(
                WARNING,
                "$file: whether somebody asks for something cannot be read: ${failure.sentence()}",
            )
        }
        isUnreadable = true
    }

    private companion object {
        val LOG: System.Logger = System.getLogger(Checkpoints::class.java.name)
    }
}
