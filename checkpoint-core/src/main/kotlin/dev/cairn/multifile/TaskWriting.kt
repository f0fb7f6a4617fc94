package dev.cairn.multifile

import dev.cairn.comm.Communicator
import dev.cairn.comm.RankFailedException
import dev.cairn.comm.isOutOfStep
import dev.cairn.sion.ChunkWriter
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileLayout
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.TaskGroup
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import kotlinx.coroutines.CancellationException

/**
 * One rank's part in writing a multifile together. All ranks [begin], each writes what it gets from [open], and all
 * [end]. Rank 0 plans, creates and closes; only it knows the whole [layout], and only it writes the extra task, the last
 * one, if there is one.
 */
internal class TaskWriting private constructor(
    private val ranks: Communicator,
    private val spec: MultifileSpec,
    private val store: BlockStore,
    private val seat: Seat,
    private val layout: MultifileLayout?,
    private val files: OpenFiles,
) {
    private val slot = seat.slot
    private val groupRanks = GroupRanks(ranks, slot.collector(), seat.others)
    private var group: GroupWriting? = null
    private var extra: ChunkWriter? = null

    /** How many physical files there are, on rank 0. */
    val fileCount: Int get() = plan().fileCount()

    /** The writer of this rank's stream. */
    fun open(): ChunkWriter {
        val file = files.open(store, slot.fileNumber())
        group = slot.group().map { groupWriting(it, file) }.orElse(null)
        return group?.chunks ?: ChunkWriter.of(file, slot)
    }

    private fun groupWriting(
        of: TaskGroup,
        file: BlockFile,
    ): GroupWriting =
        when {
            of.mergedPieceSize().isPresent -> MergedWriting(groupRanks, of.mergedPieceSize().asInt, slot, file)
            else -> WindowWriting(groupRanks, of, slot, file)
        }

    /** The writer of the extra task, on rank 0. */
    fun openExtra(): ChunkWriter {
        val extraSlot = plan().slot(ranks.size)
        return ChunkWriter.of(files.open(store, extraSlot.fileNumber()), extraSlot).also { extra = it }
    }

    private fun plan() = checkNotNull(layout) { "only rank $ROOT has the plan, and writes the extra task" }

    /** Collective: brings the [outcome] of this rank, and returns when the multifile is closed. */
    suspend fun end(outcome: Result<TaskUsage>): Unit =
        files.use {
            outcome.onFailure { if (it is CancellationException || it.isOutOfStep) throw it }
            val written = copied(grouped(outcome)).mapCatching { usage -> usage.also { files.leave() } }
            val usages = ranks.gather(ROOT, written.fold(TaskUsage::toPayload) { NO_USAGE })
            val closed = written.mapCatching { close(usages.map { it.toUsage() }) }
            ranks.settleOnce("close", closed.exceptionOrNull())
        }

    /** A rank that could not even open its stream is waited for by its group all the same. */
    private suspend fun grouped(outcome: Result<TaskUsage>): Result<TaskUsage> {
        if (slot.group().isEmpty) return outcome
        return group?.end(outcome) ?: outcome.also { groupRanks.withdraw() }
    }

    private suspend fun copied(outcome: Result<TaskUsage>): Result<TaskUsage> =
        seat.buddies.foldIndexed(outcome) { level, before, buddy ->
            val copying =
                BuddyWriting(
                    ranks,
                    groupRanks,
                    slot,
                    buddy,
                    open = { files.open(store, it) },
                    openCopy = { store.open(spec.buddyFile(level, it), Access.READ_WRITE) },
                    force = { if (spec.forcePolicy() == ForcePolicy.ON_CLOSE) it.force() },
                )
            val copied = copying.copy(before.getOrNull())
            before.mapCatching { usage -> usage.also { copied.getOrThrow() } }
        }

    /** A rank that failed has no usage, and then there is nothing to close. The multifile itself comes last. */
    private fun close(usages: List<TaskUsage?>) {
        if (layout == null || null in usages) return
        val all = usages.filterNotNull() + listOfNotNull(extra?.usage())
        layout.buddies().forEach { Multifile.close(store, it.layout(), all) }
        Multifile.close(store, layout, all)
    }

    companion object {
        /**
         * Collective: returns when the physical files exist.
         *
         * @param extraChunkSize what rank 0 wants for an extra task; null for none, and on the other ranks
         */
        suspend fun begin(
            ranks: Communicator,
            spec: MultifileSpec,
            chunkSize: Long,
            store: BlockStore,
            extraChunkSize: Long? = null,
        ): TaskWriting {
            // Ranks that do not mean the same file must get as far as finding that out, so it is not named yet.
            val creating = ranks.during(ranks.nested("creating a multifile"))
            val (seat, layout) = creating.create(spec, chunkSize, store, extraChunkSize)
            val files =
                ranks.shareInProcess { rankCount ->
                    OpenFiles(spec, rankCount, ranks.nested("writing ${spec.path()}"))
                }
            return TaskWriting(ranks.during(files.activity), spec, store, seat, layout, files)
        }
    }
}

/** Which rank plans, creates and closes. */
internal const val ROOT = 0

/** What the program was doing already, and what it does inside of that. */
internal fun Communicator.nested(step: String): String = if (activity.isEmpty()) step else "$activity, $step"

/** Collective: settles; but a failure of ours that all ranks have been told of already is thrown as it is. */
internal suspend fun Communicator.settleOnce(
    step: String,
    failure: Throwable?,
) {
    try {
        settle(step, failure)
    } catch (told: RankFailedException) {
        throw failure as? RankFailedException ?: told
    }
}
