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
import java.io.IOException
import java.lang.System.Logger.Level.INFO
import java.lang.System.Logger.Level.WARNING
import java.nio.file.NoSuchFileException
import java.nio.file.Path

/** Collects requests from outside. Ranks poll it; any thread may add one. */
internal fun interface Requests {
    /** The most urgent request since the last call. Does not wait. */
    suspend fun take(): RunRequest

    /** None is taken any more: signals that end a program go to the handlers that were there before. */
    fun giveBack() = Unit

    /** These and [others]. */
    fun and(others: Requests): Requests {
        val own = this
        return object : Requests {
            override suspend fun take() = maxOf(own.take(), others.take())

            override fun giveBack() {
                own.giveBack()
                others.giveBack()
            }
        }
    }

    companion object {
        /** For programs that leave signals to other handlers. */
        val NONE = Requests { RunRequest.NONE }
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
