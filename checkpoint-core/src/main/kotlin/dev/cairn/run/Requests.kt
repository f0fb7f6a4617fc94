package dev.cairn.run

import dev.cairn.base.readWhole
import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.event.sentence
import dev.cairn.save.Trouble
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.Owner
import dev.cairn.store.OwnerFile
import dev.cairn.store.OwnerNote
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
}

/**
 * Signals to this process: USR1 asks for a save. TERM and INT ask for a save and then for the end; a second INT, as when
 * Ctrl-C is pressed again, finds the handler that was there before, which ends the process at once. Each is answered by a line at
 * once, since the step under way may be a long one. All earlier handlers are given back when this is closed.
 */
internal class SignalRequests(
    private val program: String,
) : Requests,
    AutoCloseable {
    private val pending = AtomicReference(RunRequest.NONE)

    private val heard =
        listOf(
            HeardSignal("USR1") { ask(RunRequest.SAVE, "asked to save (USR1): it saves after this step.") },
            HeardSignal("TERM") { ask(RunRequest.STOP, "asked to end (TERM): it saves after this step and ends.") },
            HeardSignal("INT", ::interrupt),
        )

    override suspend fun take(): RunRequest = pending.getAndSet(RunRequest.NONE)

    override fun close() = heard.forEach { it.close() }

    /** A request that is repeated before its step has ended was answered already. */
    private fun ask(
        request: RunRequest,
        answer: String,
    ) {
        if (pending.getAndAccumulate(request, ::maxOf) < request) System.err.println("$program: $answer")
    }

    private fun interrupt(signal: HeardSignal) {
        pending.accumulateAndGet(RunRequest.STOP, ::maxOf)
        signal.close()
        System.err.println(
            "$program: interrupted: it saves after this step and ends. Interrupt it again to end it now.",
        )
    }
}

/** Lets [react] to a signal, until it is closed; then the handler is back that was there before. */
private class HeardSignal(
    name: String,
    private val react: (HeardSignal) -> Unit,
) : AutoCloseable {
    private val signal = Signal(name)
    private val own = SignalHandler { react(this) }
    private val former = synchronized(this) { handle(own) }

    /** A handler that came after this one stays. */
    @Synchronized
    override fun close() {
        if (former == null) return
        val present = handle(former)
        if (present != null && present !== own) handle(present)
    }

    /** Returns the handler that was there; null if the virtual machine does not hand this signal out, as with `-Xrs`. */
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
 * Files which are made to ask for something: `heat.cairn.save` and `heat.cairn.stop` beside the directory of checkpoints, by people, and
 * `save` and `stop` in its `requests`, by the command `cairn`. The program deletes the file of a request that it takes. It also deletes a
 * request for an earlier owner of the directory, and does not do what that asks.
 */
internal class FileRequests(
    files: BlockStore,
    directory: Path,
) : Requests {
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

/** A file whose being there is a [request]. Trouble with the disk is no request, and does not end the run. */
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
            // It was withdrawn meanwhile.
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

    /** What people write into such a file says nothing. */
    private fun isForOther(): Boolean {
        val text = files.readWhole(file, MOST_BYTES)?.decodeToString().orEmpty()
        if (!text.startsWith(Owner.REQUEST)) return false
        val owner = (note.read() as? OwnerNote.Known)?.owner
        return owner != null && text != owner.request
    }

    /** Once, since it is asked for a few times a second. */
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
