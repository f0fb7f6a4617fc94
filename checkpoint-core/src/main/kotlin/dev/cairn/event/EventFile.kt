package dev.cairn.event

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import java.io.IOException
import java.lang.System.Logger.Level.INFO
import java.lang.System.Logger.Level.WARNING
import java.nio.ByteBuffer
import java.nio.file.Path
import java.time.Clock
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.function.Consumer

/**
 * Appends events as lines of JSON, as [EventLine] says. The file is opened for each line, so it may be moved away at any
 * time. It is not forced. The part of a line that a full disk leaves is cut off; a line that a crash has cut short stays alone on its line.
 */
internal class EventFile(
    private val files: BlockStore,
    private val path: Path,
    private val program: String,
    private val bound: EventBound? = null,
    private val clock: Clock = Clock.systemUTC(),
    private val requirePlace: () -> Unit = {},
) {
    /** The line of [event], which takes place now. */
    fun lineOf(event: CheckpointEvent) = EventLine(clock.instant(), program, event)

    fun append(line: EventLine) {
        requirePlace()
        val bytes = "${line.encode()}\n".encodeToByteArray()
        open(bytes.size).use { file ->
            val end = file.size()
            val separator = if (end == 0L || file.lastByte(end) == NEW_LINE) ByteArray(0) else byteArrayOf(NEW_LINE)
            try {
                file.write(end, ByteBuffer.wrap(separator + bytes))
            } catch (failure: IOException) {
                file.cutBack(end, failure)
                throw failure
            }
        }
    }

    private fun open(byteCount: Int): BlockFile {
        if (!files.exists(path)) return files.create(path)
        val file = files.open(path, Access.READ_WRITE)
        if (bound == null || file.size() + byteCount <= bound.mostBytes) return file
        file.close()
        files.rename(path, bound.older)
        return files.create(path)
    }

    override fun toString() = "the file of events $path"
}

private const val NEW_LINE = '\n'.code.toByte()

private fun BlockFile.cutBack(end: Long, failure: IOException) {
    try {
        resize(end)
    } catch (another: IOException) {
        failure.addSuppressed(another)
    }
}

private fun BlockFile.lastByte(end: Long): Byte = ByteBuffer.allocate(1).also { readFully(end - 1, it) }.get(0)

/** A file of events that would have more than [mostBytes] gets the name [older], in place of the one before, and a new one begins. */
internal class EventBound(val mostBytes: Long, val older: Path)

/**
 * A file of events without which the program goes on: it waits for no line, since a line waits for the disk behind the data of a save.
 * The first failure to write a line is a warning, the others are silent. When lines are written again, the log says how many are missing.
 *
 * @param isLive whether the simulated process of the rank still runs
 * @param inBackground calls the function that it gets, on another thread
 */
internal class KeptEvents(
    private val file: EventFile,
    private val isLive: () -> Boolean = { true },
    private val inBackground: (write: () -> Unit) -> Unit,
) : Consumer<CheckpointEvent> {
    private val waiting = ConcurrentLinkedQueue<EventLine>()
    private var missingCount = 0

    override fun accept(event: CheckpointEvent) {
        waiting += file.lineOf(event)
        inBackground(::flush)
    }

    /** Returns when the lines of all events so far are written, in their order. Any thread may call it. */
    @Synchronized
    fun flush() {
        while (isLive()) write(waiting.poll() ?: return)
    }

    /** Catches errors, too, as [Events] does. */
    private fun write(line: EventLine) {
        try {
            file.append(line)
        } catch (failure: Throwable) {
            if (missingCount++ == 0) {
                val reason = if (failure is IOException) failure.sentence() else "$failure"
                LOG.log(WARNING, "$file cannot be written, so events are missing there: $reason")
            }
            return
        }
        if (missingCount > 0) LOG.log(INFO, "$file is written again, but lacks ${counted(missingCount, "event")}")
        missingCount = 0
    }

    override fun toString() = "$file"
}

private val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)

/** The largest file of events that is read. */
internal const val MOST_BYTES_OF_EVENTS: Int = 32 shl 20
