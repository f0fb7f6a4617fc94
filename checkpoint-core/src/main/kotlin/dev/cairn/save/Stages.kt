package dev.cairn.save

import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.decideInTime
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.withContext
import java.lang.System.Logger.Level.WARNING
import kotlin.time.Duration
import kotlin.time.TimeSource

/** The state of a save after a meeting, as known to all ranks. */
internal sealed interface Meeting {
    /** Nothing new; the save goes on. */
    data object Held : Meeting

    /** The data are complete and forced on the disks of the hosts, and a restart finds them. They are still to be drained. */
    data object Sealed : Meeting

    class Committed(val saved: Saved) : Meeting
}

/**
 * Drives a save from stage to stage. In a stage each rank works alone; in the meeting that ends the stage, the ranks exchange the results
 * and begin the next one.
 *
 * @param inBackground whether the work is done in the background
 * @param waitedBefore how long the program has waited for the save
 */
internal class Stages(private val context: SaveContext, private val inBackground: Boolean, waitedBefore: Duration) {
    /** Until the last meeting: how long the program has waited for the save. */
    var waitedBefore: Duration = waitedBefore
        private set

    private var work: Deferred<*> = CompletableDeferred(Unit)
    private var next: suspend () -> Meeting = { Meeting.Held }
    private var meetingBegin = TimeSource.Monotonic.markNow()

    /** Whether this rank's work of the stage is done. */
    val isReady: Boolean get() = work.isCompleted

    /** In a meeting: how long the program has waited for the save. */
    val waited: Duration get() = waitedBefore + meetingBegin.elapsedNow()

    /** The program has also waited [time] for this rank's work, or that of other ranks. */
    fun addWaited(time: Duration) {
        waitedBefore += time
    }

    /** Waits until it [isReady]. */
    suspend fun join() = work.join()

    /**
     * As [join], while the other ranks wait in the meeting for the answer of rank 0: at intervals it announces that there is none yet. Ends
     * with the work also after a failure, since it is not known before whether the save is committed.
     */
    suspend fun joinInTime() {
        val ranks = context.ranks
        try {
            ranks.decideInTime({ ranks.broadcast(ROOT, it) }) { join() }.getOrThrow()
        } finally {
            withContext(NonCancellable) { join() }
        }
    }

    /** Collective: ends the stage. */
    suspend fun meet(): Meeting {
        meetingBegin = TimeSource.Monotonic.markNow()
        return next().also { waitedBefore = waited }
    }

    /** Closes [files] when the work is done. */
    fun closeAfterwards(files: AutoCloseable) = work.closeAfterwards(files)

    /** The next stage is this rank's [work]; the meeting after it gets the result. */
    fun <T> after(work: Deferred<T>, meeting: suspend (T) -> Meeting): Meeting {
        this.work = work
        next = { meeting(work.await()) }
        return Meeting.Held
    }

    /** Starts work of rank 0 alone, on the [given] value; if that is a failure, the failure is the result. */
    fun <A : Any, B> onRoot(given: Result<A?>, work: (A) -> B): Deferred<Result<B?>> {
        val own = given.getOrNull()
        if (context.ranks.rank != ROOT || own == null) return CompletableDeferred(given.map { null })
        val worker = context.worker
        if (inBackground) return worker.start { worker.run { work(own) } }
        // Alone, the program's thread does the work: no other rank waits for a sign that it goes on.
        if (context.ranks.size == 1) return CompletableDeferred(runCatching { work(own) })
        // The program waits for its end, so it is never given up, and it need not wait for pieces of other work.
        return worker.start {
            worker.pause()
            work(own)
        }
    }

    /** Starts work of a rank with a [given] value; other ranks are done at once. */
    fun <A : Any> ifGiven(given: A?, work: suspend (A) -> Unit): Deferred<Result<Unit>> {
        if (given == null) return CompletableDeferred(Result.success(Unit))
        return context.worker.start { work(given) }
    }
}

/** Closes [files] when this work has ended: they are forced already, or the save has failed. */
internal fun Deferred<*>.closeAfterwards(files: AutoCloseable) {
    invokeOnCompletion {
        try {
            files.close()
        } catch (failure: Exception) {
            // An exception here would be thrown in the coroutine that completes the work.
            LOG.log(WARNING, "a file of a save could not be closed", failure)
        }
    }
}

private val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)
