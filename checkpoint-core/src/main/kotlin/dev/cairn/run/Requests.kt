package dev.cairn.run

import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.event.sentence
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.Owner
import dev.cairn.store.OwnerFile
import dev.cairn.store.OwnerNote
import dev.cairn.store.readWhole
import dev.cairn.store.saveFileIn
import dev.cairn.store.saveFileOf
import dev.cairn.store.stopFileIn
import dev.cairn.store.stopFileOf
import sun.misc.Signal
import sun.misc.SignalHandler
import java.io.IOException
import java.lang.System.Logger.Level.INFO
import java.lang.System.Logger.Level.WARNING
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicReference

/** Collects requests from outside. Ranks poll it; any thread may add one. */
internal fun interface Requests {
    /** The most urgent request since the last call. Does not wait. */
    suspend fun take(): RunRequest

    companion object {
        /** For programs that leave signals to other handlers. */
        val NONE = Requests { RunRequest.NONE }
    }
}

/**
 * Signals to this process: USR1 requests a save. TERM and INT request a save and then the end; a second INT, such as a second Ctrl-C,
 * reaches the handler that was there before, which ends the process at once. A line answers each signal at once, since the current
 * step may be a long one. [close] restores all earlier handlers.
 */
internal class SignalRequests(private val program: String) :
    Requests,
    AutoCloseable {
    private val pending = AtomicReference(RunRequest.NONE)

    private val caught =
        listOf(
            CaughtSignal("USR1") { ask(RunRequest.SAVE, "asked to save (USR1): it saves after this step.") },
            CaughtSignal("TERM") { ask(RunRequest.STOP, "asked to end (TERM): it saves after this step and ends.") },
            CaughtSignal("INT", ::interrupt),
        )

    override suspend fun take(): RunRequest = pending.getAndSet(RunRequest.NONE)

    override fun close() = caught.forEach { it.close() }

    /** A repeated request is not answered again before its step has ended. */
    private fun ask(request: RunRequest, answer: String) {
        if (pending.getAndAccumulate(request, ::maxOf) < request) System.err.println("$program: $answer")
    }

    private fun interrupt(signal: CaughtSignal) {
        pending.accumulateAndGet(RunRequest.STOP, ::maxOf)
        signal.close()
        System.err.println(
            "$program: interrupted: it saves after this step and ends. Interrupt it again to end it now.",
        )
    }
}

/** Calls [react] on a signal until closed; [close] restores the handler that was there before. */
private class CaughtSignal(name: String, private val react: (CaughtSignal) -> Unit) : AutoCloseable {
    private val signal = Signal(name)
    private val own = SignalHandler { react(this) }
    private val former = synchronized(this) { handle(own) }

    /** A handler that was set after this one stays. */
    @Synchronized
    override fun close() {
        if (former == null) return
        val present = handle(former)
        if (present != null && present !== own) handle(present)
    }

    /** Returns the earlier handler; null if the virtual machine does not hand out this signal, as with `-Xrs`. */
    private fun handle(handler: SignalHandler): SignalHandler? =
        try {
            Signal.handle(signal, handler)
        } catch (refusal: IllegalArgumentException) {
            LOG.log(INFO, "$signal cannot be handled in this process: ${refusal.message}")
            null
        }

    private companion object {
        val LOG: System.Logger = System.getLogger(SignalRequests::class.java.name)
    }
}

/**
 * Request files: `heat.cairn.save` and `heat.cairn.stop` beside the directory of checkpoints, created by users, and `save` and `stop`
 * in its `requests`, created by the command `cairn`. The program deletes the file of a request that it takes, and ignores and deletes
 * a request to an earlier owner of the directory.
 */
internal class FileRequests(files: BlockStore, directory: Path) : Requests {
    private val note = OwnerFile(files, directory)
    private val requestFiles =
        listOf(
            RequestFile(files, saveFileOf(directory), RunRequest.SAVE, note),
            RequestFile(files, stopFileOf(directory), RunRequest.STOP, note),
            RequestFile(files, saveFileIn(directory), RunRequest.SAVE, note),
            RequestFile(files, stopFileIn(directory), RunRequest.STOP, note),
        )

    override suspend fun take(): RunRequest = requestFiles.maxOf(RequestFile::take)
}

/** A file whose existence is a [request]. An error of the disk is no request, and does not end the run. */
private class RequestFile(
    private val files: BlockStore,
    private val file: Path,
    private val request: RunRequest,
    private val note: OwnerFile,
) {
    private var isUnreadable = false

    fun take(): RunRequest =
        try {
            takeNow().also { isUnreadable = false }
        } catch (_: NoSuchFileException) {
            // The request was withdrawn in between.
            RunRequest.NONE
        } catch (failure: IOException) {
            RunRequest.NONE.also { warn(failure) }
        }

    private fun takeNow(): RunRequest {
        if (!files.exists(file)) return RunRequest.NONE
        val isForOther = isForOther()
        files.delete(file)
        if (!isForOther) return request
        LOG.log(INFO, "$file was for a program that has ended, and is removed")
        return RunRequest.NONE
    }

    /** The content of a file that a user created is ignored. */
    private fun isForOther(): Boolean {
        val text = files.readWhole(file, MOST_BYTES)?.decodeToString().orEmpty()
        if (!text.startsWith(Owner.REQUEST)) return false
        val owner = (note.read() as? OwnerNote.Known)?.owner
        return owner != null && text != owner.request
    }

    /** Logged once, since files are looked for a few times a second. */
    private fun warn(failure: IOException) {
        if (!isUnreadable) {
            LOG.log(
                WARNING,
                "$file: requests cannot be read: ${failure.sentence()}",
            )
        }
        isUnreadable = true
    }

    private companion object {
        const val MOST_BYTES = 1 shl 10
        val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)
    }
}
