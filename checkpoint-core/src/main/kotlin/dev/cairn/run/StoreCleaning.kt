package dev.cairn.run

import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointException
import dev.cairn.event.Events
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.event.sentence
import dev.cairn.reading.requireIndex
import dev.cairn.save.SaveContext
import dev.cairn.store.Cleanup
import dev.cairn.store.Lineage
import dev.cairn.store.OwnedStore
import dev.cairn.store.SaveDirectory
import dev.cairn.store.inform
import kotlinx.coroutines.Job
import java.io.IOException
import java.lang.System.Logger.Level.WARNING
import java.util.concurrent.ConcurrentLinkedQueue

/**
 * Deletes expired saves, on the rank that owns the store: after a commit, its worker deletes in small steps while the program goes on. A
 * failed deletion is logged and tried again; it affects no checkpoint.
 */
internal class StoreCleaning(
    private val context: SaveContext,
    private val owned: OwnedStore,
    private val events: Events,
) {
    private val worker = context.worker
    private val retention = context.options.retention()

    /** The deletions under way, oldest first, and perhaps some that have ended. */
    private var deletions = emptyList<Deletion>()

    /** What the worker has done and the program has not reported yet. */
    private val results = ConcurrentLinkedQueue<Result<Cleanup>>()

    /** The size of the largest save of this run. */
    private var largestSize = 0L

    /** Whether the worker is deleting saves. */
    val isUnderWay: Boolean get() = deletions.any { !it.isOver }

    /** After the commit of [saved]: the worker deletes the saves that expire. */
    fun retain(saved: Saved, lineage: Lineage) {
        largestSize = maxOf(largestSize, saved.byteCount)
        begin(stepsAfter(lineage))
    }

    private fun begin(steps: Sequence<Cleanup>) {
        deletions = deletions.filterNot { it.isOver } + Deletion(steps, deletions.lastOrNull())
    }

    /** Before a save: waits until at most one deletion is left, so that the store holds at most two saves more than it keeps. */
    suspend fun awaitTurn() {
        deletions.filterNot { it.isOver }.dropLast(1).forEach { it.join() }
        report()
    }

    /** Before a save of [byteCount] bytes or more: waits for the deletions if there is no room for it or for the largest save so far. */
    suspend fun awaitRoom(byteCount: Long) {
        if (isUnderWay && context.files.freeSpace(context.directory) < maxOf(byteCount, largestSize)) join()
    }

    /** Waits until the worker is idle. */
    suspend fun join() {
        deletions.forEach { it.join() }
        report()
    }

    /** Reports to listeners and logs what the worker has done. Returns the saves that are gone. */
    fun report(): List<Int> = generateSequence(results::poll).flatMap { clean { it.getOrThrow() } }.toList()

    /** Frees room before a save that needs it, and after a failed save: waits until the worker has deleted all that is not kept. */
    suspend fun free(lineage: Lineage) {
        join()
        begin(owned.clear() + stepsAfter(lineage))
        deletions.forEach { it.join() }
        report().forEach {
            LOG.inform(
                context.files,
                "${context.directory}: save $it is deleted before this save: keep-last and keep-every do not keep it",
            )
        }
    }

    /** Deletes the files in [directory] of a save that is still sealed, for this [reason]. Returns false if that fails. */
    fun giveUp(directory: SaveDirectory, reason: String): Boolean =
        !directory.isSealed ||
            logged({ "${directory.path}: $STILL_SEALED" }) {
                directory.abandon(reason)
                true
            } == true

    /** The worker has stopped: this thread does the rest, unless it [is left][isLeft] to the next program. */
    fun close(isLeft: Boolean) {
        if (!isLeft && worker.isLive) deletions.forEach { it.finish() }
        report()
    }

    private fun stepsAfter(lineage: Lineage) =
        owned.retain(retention, { context.files.requireIndex(it) }, lineage) +
            sequence { if (owned.hasKeptOutputs) yield(owned.releaseOutputs(context.files)) }

    /** Returns the saves that are gone. */
    private fun clean(clean: () -> Cleanup): List<Int> {
        val cleanup = logged({ "${context.directory}: $NOT_DELETED" }, clean) ?: return emptyList()
        cleanup.removed.forEach { events.notify(CheckpointEvent.Deleted(it)) }
        cleanup.left.forEach { LOG.log(WARNING, it.reason) }
        return cleanup.removed
    }

    /** The result of [work]; null if it fails, which the log reports as the [lack]. */
    private fun <T : Any> logged(lack: () -> String, work: () -> T): T? =
        try {
            work()
        } catch (failure: IOException) {
            LOG.log(WARNING, owned.loss?.message ?: "${lack()}: ${failure.sentence()}")
            null
        } catch (taken: CheckpointException.InUse) {
            // Only this rank knows it: the next save detects it, and reports it to all.
            LOG.log(WARNING, taken.message)
            null
        }

    /** A deletion in these steps, such as that of the saves that expire by one commit. It begins [after] another one. */
    private inner class Deletion(steps: Sequence<Cleanup>, after: Deletion?) {
        private val steps = steps.iterator()

        @Volatile var isOver = false
            private set

        private val work: Job =
            worker.start {
                after?.join()
                while (!isOver) {
                    worker.pause()
                    worker.run(::step)
                }
            }

        suspend fun join() = work.join()

        fun finish() {
            while (!isOver) step()
        }

        private fun step() {
            val result = runCatching { if (steps.hasNext()) steps.next() else null }
            isOver = result.getOrNull() == null
            result.map { it ?: Cleanup.NOTHING }.let(results::add)
        }
    }
}

private const val NOT_DELETED = "older checkpoints could not be deleted, tried again after the next save"

private const val STILL_SEALED =
    "this superseded save could not be deleted, so its files stay on its hosts until a newer save is committed"

private val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)
