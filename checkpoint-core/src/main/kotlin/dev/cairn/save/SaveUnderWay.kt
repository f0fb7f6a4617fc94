package dev.cairn.save

import dev.cairn.event.CHECKPOINTS_LOGGER
import kotlinx.coroutines.Deferred
import java.lang.System.Logger.Level.WARNING

/**
 * A save whose program goes on while workers write it. Meetings of all ranks bring it to its end; between two of them the workers do
 * what the next one needs. Every rank has one, which belongs to the coroutine of its rank.
 */
internal interface SaveUnderWay {
    /** Whether what the next meeting needs of this rank is done. Does not wait. */
    suspend fun isReady(): Boolean

    /** Waits until it [isReady]. */
    suspend fun join()

    /** The committed save, on rank 0; null before that, and on the other ranks until they learn of it. */
    val committed: CommittedSave?

    /** Collective, and quick if all ranks are ready: the next meeting. If it throws, the save has ended. */
    suspend fun meet(): Meeting

    /** Ends the worker without a meeting. A commit that has begun ends first. */
    fun giveUp()

    /** Gives back what a save uses that has failed, as soon as this rank's worker is done with it. */
    fun close()
}

/** What all ranks know of a save after a meeting. */
internal sealed interface Meeting {
    /** No more than before. */
    data object Held : Meeting

    /** The data are complete and forced on the disks of the hosts, and a restart knows of them. What is left is to [drain] them. */
    class Sealed(
        val drain: SealedDrain,
    ) : Meeting

    class Committed(
        val save: CommittedSave,
    ) : Meeting
}

/** Closes [files] when this work has come to its end: they are forced already, or the save has come to nothing. */
internal fun Deferred<*>.closeAfterwards(files: AutoCloseable) {
    invokeOnCompletion {
        try {
            files.close()
        } catch (failure: Exception) {
            // Any other exception would be thrown where the work completes, and must not be.
            LOG.log(WARNING, "a file of a save could not be closed", failure)
        }
    }
}

private val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)
