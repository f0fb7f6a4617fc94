package dev.cairn.event

import dev.cairn.base.counted
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import java.io.IOException
import java.lang.System.Logger.Level.INFO
import java.lang.System.Logger.Level.WARNING
import java.nio.ByteBuffer
import java.nio.file.Path
import java.time.Clock
import java.util.function.Consumer

/**
 * Appends each event as one line of JSON, as [EventLine] says. The file is opened for each event, so it may be moved away at any
 * time. It is not forced. The part of a line that a full disk leaves is cut off; a line that a crash has cut short stays alone on its line.
 */
internal class EventFile(
    private val files: BlockStore,
    private val path: Path,
    private val program: String,
    private val bound: EventBound? = null,
    private val clock: Clock = Clock.systemUTC(),
    private val requirePlace: () -> Unit = {},
) : Consumer<CheckpointEvent> {
    override fun accept(event: CheckpointEvent) {
        requirePlace()
        val line = "${EventLine(clock.instant(), program, event).encode()}\n".encodeToByteArray()
        open(line.size).use { file ->
            val end = file.size()
            val separator = if (end == 0L || file.lastByte(end) == NEW_LINE) ByteArray(0) else byteArrayOf(NEW_LINE)
            try {
                file.write(end, ByteBuffer.wrap(separator + line))
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

private fun BlockFile.cutBack(
    end: Long,
    failure: IOException,
) {
    try {
        resize(end)
    } catch (another: IOException) {
        failure.addSuppressed(another)
    }
}

private fun BlockFile.lastByte(end: Long): Byte = ByteBuffer.allocate(1).also { readFully(end - 1, it) }.get(0)

/** A file of events that would have more than [mostBytes] gets the name [older], in place of the one before, and a new one begins. */
internal class EventBound(
    val mostBytes: Long,
    val older: Path,
)

/**
 * A file of events without which the program goes on: the first failure to write one is a warning, the others are silent. When events
 * are written again, a line says how many are missing.
 */
internal class KeptEvents(
    private val file: EventFile,
) : Consumer<CheckpointEvent> {
    private var missingCount = 0

    override fun accept(event: CheckpointEvent) {
        try {
            file.accept(event)
        } catch (failure: IOException) {
            if (missingCount++ == 0) {
                LOG.log(
                    WARNING,
                    "$file cannot be written, so events are missing there: ${failure.sentence()}",
                )
            }
            return
        }
        if (missingCount > 0) LOG.log(INFO, "$file is written again, but lacks ${counted(missingCount, "event")}")
        missingCount = 0
    }

    override fun toString() = "$file"
}

private val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)
