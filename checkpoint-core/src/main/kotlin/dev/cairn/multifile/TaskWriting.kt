package dev.cairn.multifile

import dev.cairn.comm.Communicator
import dev.cairn.sion.ChunkWriter
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileLayout
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.TaskSlot
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.store.BlockStore
import kotlinx.coroutines.CancellationException

/**
 * One rank's part in writing a multifile together. All ranks [begin], each writes what it gets from [open], and all
 * [end]. Rank 0 plans, creates and closes; only it knows the whole [layout].
 */
internal class TaskWriting private constructor(
    private val ranks: Communicator,
    private val spec: MultifileSpec,
    private val store: BlockStore,
    private val slot: TaskSlot,
    private val layout: MultifileLayout?,
    private val files: OpenFiles,
) {
    /** The writer of this rank's stream. */
    fun open(): ChunkWriter = ChunkWriter.of(files.open(store, slot.fileNumber()), slot)

    /** Collective: brings the [outcome] of this rank, and returns when the multifile is closed. */
    suspend fun end(outcome: Result<TaskUsage>): Unit =
        files.use {
            val written = outcome.mapCatching { usage -> usage.also { files.leave() } }
            written.onFailure { if (it is CancellationException) throw it }
            val usages = ranks.gather(ROOT, written.fold(TaskUsage::toPayload) { NO_USAGE })
            val closed = written.mapCatching { close(usages.map { it.toUsage() }) }
            ranks.settle("close", closed.exceptionOrNull())
        }

    /** A rank that failed has no usage, and then there is nothing to close. */
    private fun close(usages: List<TaskUsage?>) {
        if (layout != null && null !in usages) Multifile.close(store, layout, usages.filterNotNull())
    }

    companion object {
        /** Collective: returns when the physical files exist. */
        suspend fun begin(
            ranks: Communicator,
            spec: MultifileSpec,
            chunkSize: Long,
            store: BlockStore,
        ): TaskWriting {
            // Ranks that do not mean the same file must get as far as finding that out, so it is not named yet.
            val (slot, layout) = ranks.during(ranks.nested("creating a multifile")).create(spec, chunkSize, store)
            val named = ranks.during(ranks.nested("writing ${spec.path()}"))
            val files = named.shareInProcess { rankCount -> OpenFiles(spec, rankCount) }
            return TaskWriting(named, spec, store, slot, layout, files)
        }
    }
}

/** Which rank plans, creates and closes. */
internal const val ROOT = 0

/** What the program was doing already, and what it does inside of that. */
internal fun Communicator.nested(step: String): String = if (activity.isEmpty()) step else "$activity, $step"
