package dev.cairn.run

import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.Events
import dev.cairn.failure.CheckpointException
import dev.cairn.reading.readContents
import dev.cairn.save.SaveContext
import dev.cairn.store.Cleanup
import dev.cairn.store.Lineage
import dev.cairn.store.OwnedStore
import dev.cairn.store.SaveDirectory
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.awaitAll
import java.io.IOException
import java.lang.System.Logger.Level.INFO
import java.lang.System.Logger.Level.WARNING

/**
 * Deletes saves that the program no longer keeps, on the rank that owns the store. It can be late, but it cannot make a
 * checkpoint undone: its trouble is logged.
 */
internal class StoreCleaning(
    private val context: SaveContext,
    private val owned: OwnedStore,
    private val events: Events,
) {
    private val retention = context.options.retention()
    private var behind = emptyList<Deferred<Result<Cleanup>>>()

    /** Whether the worker is deleting saves; the store must not be used meanwhile. */
    val isUnderWay: Boolean get() = behind.any { !it.isCompleted }

    /** After a save. */
    fun retain(lineage: Lineage) {
        clean { retained(lineage) }
    }

    /** As [retain], while the program goes on. */
    fun retainBehind(lineage: Lineage) {
        behind += context.worker.start { context.worker.run { retained(lineage) } }
    }

    /** Returns when the worker does nothing. */
    suspend fun join() {
        val cleanups = behind.awaitAll()
        behind = emptyList()
        cleanups.forEach { clean { it.getOrThrow() } }
    }

    /** Before a save that needs the room, and after one that has failed. */
    fun free(lineage: Lineage) =
        clean { owned.free(retention, { context.files.readContents(it) }, lineage) }.forEach {
            LOG.log(
                INFO,
                "${context.directory}: save $it is deleted before this save: keep-last and keep-every do not keep it",
            )
        }

    /** Deletes what the store holds of the save in [directory], if it is sealed still, for this [reason]. */
    fun giveUp(
        directory: SaveDirectory,
        reason: String,
    ) {
        if (!directory.isSealed) return
        clean {
            directory.abandon(reason)
            Cleanup(emptyList(), emptyList())
        }
    }

    private fun retained(lineage: Lineage) = owned.retain(retention, { context.files.readContents(it) }, lineage)

    /** Returns the saves that are gone. */
    private fun clean(clean: () -> Cleanup): List<Int> {
        try {
            val cleanup = clean()
            cleanup.removed.forEach { events.tell(CheckpointEvent.Deleted(it)) }
            cleanup.left.forEach { LOG.log(WARNING, it.reason) }
            return cleanup.removed
        } catch (failure: IOException) {
            LOG.log(
                WARNING,
                "${context.directory}: older checkpoints could not be removed, tried again next time",
                failure,
            )
        } catch (taken: CheckpointException.StoreTakenOver) {
            // Only this rank knows it: the next save detects it, and reports it to all.
            LOG.log(WARNING, taken.message)
        }
        return emptyList()
    }
}

private val LOG: System.Logger = System.getLogger(CHECKPOINTS_LOGGER)
