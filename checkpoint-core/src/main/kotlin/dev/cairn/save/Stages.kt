package dev.cairn.save

import dev.cairn.comm.ROOT
import dev.cairn.event.SaveOutcome.Saved
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import kotlin.time.Duration
import kotlin.time.TimeSource

/** What all ranks know of a save after a meeting. */
internal sealed interface Meeting {
    /** No more than before. */
    data object Held : Meeting

    /** The data are complete and forced on the disks of the hosts, and a restart knows of them. What is left is to drain them. */
    data object Sealed : Meeting

    class Committed(
        val saved: Saved,
    ) : Meeting
}

/**
 * Walks a save from stage to stage. In a stage each rank works alone; in the meeting that ends it, the ranks tell each other the results,
 * and begin the next one.
 *
 * @param isBehind whether the work is done in the background
 * @param waitedBefore how long the program has waited for the save
 */
internal class Stages(
    private val context: SaveContext,
    private val isBehind: Boolean,
    private var waitedBefore: Duration,
) {
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

    /** Collective: ends the stage. */
    suspend fun meet(): Meeting {
        meetingBegin = TimeSource.Monotonic.markNow()
        return next().also { waitedBefore = waited }
    }

    /** Closes [files] when the work is done. */
    fun closeAfterwards(files: AutoCloseable) = work.closeAfterwards(files)

    /** The next stage is this rank's [work]; the meeting after it gets the result. */
    fun <T> after(
        work: Deferred<T>,
        meeting: suspend (T) -> Meeting,
    ): Meeting {
        this.work = work
        next = { meeting(work.await()) }
        return Meeting.Held
    }

    /** Work of rank 0 alone, as one piece, with what it was [given]; if that is a failure, it is the result. */
    fun <A : Any, B> onRoot(
        given: Result<A?>,
        work: (A) -> B,
    ): Deferred<Result<B?>> {
        val own = given.getOrNull()
        if (context.ranks.rank != ROOT || own == null) return CompletableDeferred(given.map { null })
        if (!isBehind) return CompletableDeferred(runCatching { work(own) })
        return context.worker.start { context.worker.run { work(own) } }
    }

    /** Work of a rank that was [given] something for it. */
    fun <A : Any> ifGiven(
        given: A?,
        work: suspend (A) -> Unit,
    ): Deferred<Result<Unit>> {
        if (given == null) return CompletableDeferred(Result.success(Unit))
        return context.worker.start { work(given) }
    }
}
