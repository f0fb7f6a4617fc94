package dev.cairn.save

import dev.cairn.comm.NOTHING
import dev.cairn.comm.Worker
import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.multifile.task.RankResult
import dev.cairn.multifile.task.TaskWriting
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.withTimeoutOrNull
import java.io.IOException
import java.lang.System.Logger.Level.WARNING
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * A save whose program goes on while its rank's worker writes. It ends in two meetings of all ranks: in the first they bring what
 * they have written, which rank 0's worker completes and commits; in the second they learn how that ended.
 */
internal class SaveUnderWay(
    private val writing: TaskWriting,
    private val worker: Worker,
    private val written: Deferred<Result<RankResult>>,
    private val conclude: (TaskWriting.Ending) -> CommittedSave,
    private var waited: Duration,
) {
    private var concluded: Deferred<Result<CommittedSave?>>? = null

    /** The committed save, on rank 0; null before that, and on the other ranks until they learn of it. */
    @Volatile var committed: CommittedSave? = null
        private set

    /** Whether this rank would not wait for its worker in [meet]. */
    val isReady: Boolean get() = (concluded ?: written).isCompleted

    /**
     * Collective: the next meeting. Returns null after the first one.
     *
     * @param onWait called now and then while this rank waits for its worker
     */
    suspend fun meet(onWait: () -> Unit): CommittedSave? {
        val begin = TimeSource.Monotonic.markNow()
        val conclusion = concluded
        if (conclusion == null) {
            concluded = conclusionOf(writing.gather(written.await(onWait)))
            waited += begin.elapsedNow()
            return null
        }
        val own =
            conclusion.await(onWait).map { committed ->
                if (committed == null) NOTHING else COMMITTED_SAVE.encode(committed.after(waited + begin.elapsedNow()))
            }
        return writing.use { COMMITTED_SAVE.decode(it.answer("save", own)) }
    }

    private fun conclusionOf(brought: Result<TaskWriting.Ending?>): Deferred<Result<CommittedSave?>> {
        val ending = brought.getOrNull() ?: return CompletableDeferred(brought.map { null })
        return worker.start { worker.run { conclude(ending).also { committed = it } } }
    }

    /** Ends the worker without a meeting. A commit that has begun ends first. */
    fun giveUp() {
        worker.giveUp()
        close()
    }

    private suspend fun <T> Deferred<T>.await(onWait: () -> Unit): T {
        while (withTimeoutOrNull(TELL_EVERY) { join() } == null) onWait()
        return await()
    }

    /** Closes the files as soon as this rank's worker is done with them. The save has come to nothing, whether they close or not. */
    fun close() {
        written.invokeOnCompletion {
            try {
                writing.close()
            } catch (failure: IOException) {
                LOG.log(WARNING, "a file of a save that came to nothing could not be closed", failure)
            }
        }
    }

    private companion object {
        val TELL_EVERY = 10.seconds
    }
}

private val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)
