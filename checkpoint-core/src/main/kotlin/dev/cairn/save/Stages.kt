package dev.cairn.save

import dev.cairn.comm.ROOT
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import kotlin.time.Duration
import kotlin.time.TimeSource

/**
 * The course of a save through its meetings: each takes the result of this rank's work before it, and begins the work for the next.
 *
 * @param waitedBefore how long the program has waited for the save
 */
internal class Stages(
    private val context: SaveContext,
    private var waitedBefore: Duration,
) {
    private var work: Deferred<*> = CompletableDeferred(Unit)
    private var next: suspend () -> Meeting = { Meeting.Held }
    private var meetingBegin = TimeSource.Monotonic.markNow()

    val isReady: Boolean get() = work.isCompleted

    /** In a meeting: how long the program has waited for the save. */
    val waited: Duration get() = waitedBefore + meetingBegin.elapsedNow()

    suspend fun join() = work.join()

    suspend fun meet(): Meeting {
        meetingBegin = TimeSource.Monotonic.markNow()
        return next().also { waitedBefore = waited }
    }

    /** Closes [files] when the work is done. */
    fun closeAfterwards(files: AutoCloseable) = work.closeAfterwards(files)

    /** The [next] meeting gets the result of this rank's [work]. */
    fun <T> after(
        work: Deferred<T>,
        next: suspend (T) -> Meeting,
    ): Meeting {
        this.work = work
        this.next = { next(work.await()) }
        return Meeting.Held
    }

    /** Lets rank 0's worker do [step] as one piece, with what it was [given]; if that is a failure, it is the result. */
    fun <A, B> onRoot(
        given: Result<A>,
        step: (A) -> B,
    ): Deferred<Result<B?>> {
        if (context.ranks.rank != ROOT || given.isFailure) return CompletableDeferred(given.map { null })
        return context.worker.start { context.worker.run { step(given.getOrThrow()) } }
    }

    /** Lets the worker do [step] if this rank was [given] something. */
    fun <A : Any> ifGiven(
        given: A?,
        step: suspend (A) -> Unit,
    ): Deferred<Result<Unit>> {
        if (given == null) return CompletableDeferred(Result.success(Unit))
        return context.worker.start { step(given) }
    }
}
