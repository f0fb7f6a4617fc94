package dev.cairn.multifile.task

import dev.cairn.comm.Communicator
import dev.cairn.comm.ROOT
import dev.cairn.failure.RankFailedException
import dev.cairn.failure.isOutOfStep
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
import java.nio.ByteBuffer

/**
 * One rank's part in writing a multifile together. All ranks [begin], each writes what it gets from [open], and all
 * [end]. Rank 0 plans, creates and closes; only it knows the whole [layout], and only it writes the extra task, the last
 * one, if there is one.
 */
internal class TaskWriting private constructor(
    private val ranks: Communicator,
    private val spec: MultifileSpec,
    private val store: BlockStore,
    private val seat: TaskSeat,
    private val layout: MultifileLayout?,
    private val files: OpenFiles,
) {
    private val slot = seat.slot
    private val groupRanks = GroupRanks(ranks, slot.collector(), seat.others)
    private var group: GroupWriting? = null

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

    private fun plan() = checkNotNull(layout) { "only rank $ROOT has the plan, and writes the extra task" }

    /** Collective: brings the [outcome] of this rank, and returns when the multifile is closed. */
    suspend fun end(outcome: Result<TaskUsage>) {
        end("close", outcome.map { Brought(it) }) { ending -> CLOSED.also { ending.close() } }
    }

    /**
     * Collective: brings the [outcome] of this rank. When all have written, [conclude] closes the multifile on rank 0, and
     * what it returns, which is not empty, is returned on all ranks.
     */
    suspend fun end(
        step: String,
        outcome: Result<Brought>,
        conclude: (Ending) -> ByteBuffer,
    ): ByteBuffer =
        files.use {
            outcome.onFailure { if (it is CancellationException || it.isOutOfStep) throw it }
            val written =
                copied(grouped(outcome.map { it.usage })).mapCatching { usage ->
                    usage.also { files.leave() }
                }
            val own = written.mapCatching { Brought(it, outcome.getOrThrow().note).toPayload() }
            val all = ranks.gather(ROOT, own.getOrElse { NOTHING })
            val concluded = own.mapCatching { endingOf(all)?.let(conclude) ?: NOTHING }
            val answer = ranks.broadcast(ROOT, concluded.getOrElse { NOTHING })
            if (!answer.hasRemaining()) ranks.settleOnce(step, concluded.exceptionOrNull())
            answer
        }

    /** Only on rank 0. A rank that failed brings nothing, and then nothing is closed. */
    private fun endingOf(payloads: List<ByteBuffer>): Ending? =
        if (ranks.rank == ROOT && payloads.all { it.hasRemaining() }) Ending(payloads.map(Brought::of)) else null

    /** What rank 0 does with a multifile that all have written. */
    inner class Ending(
        private val brought: List<Brought>,
    ) {
        private var extra: TaskUsage? = null

        /** Of all ranks, in their order. */
        val notes: List<ByteBuffer> get() = brought.map { it.note }

        /** How many physical files there are. */
        val fileCount: Int get() = plan().fileCount()

        /** Lets [write] write the extra task. */
        fun writeExtra(write: (ChunkWriter) -> TaskUsage) {
            val extraSlot = plan().slot(ranks.size)
            store.open(spec.file(extraSlot.fileNumber()), Access.READ_WRITE).use { file ->
                extra = write(ChunkWriter.of(file, extraSlot))
            }
        }

        /** Closes the multifile, after its copies. */
        fun close() {
            val all = brought.map { it.usage } + listOfNotNull(extra)
            plan().buddies().forEach { Multifile.close(store, it.layout(), all) }
            Multifile.close(store, plan(), all)
        }
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

    companion object {
        /**
         * Collective: returns when the physical files exist.
         *
         * @param wish what this rank wants, or why it cannot take part: then all ranks throw
         * @param extraChunkSize what the notes of all ranks make of the extra task, on rank 0; null for none
         */
        suspend fun begin(
            ranks: Communicator,
            spec: MultifileSpec,
            wish: Result<TaskWish>,
            store: BlockStore,
            extraChunkSize: ((notes: List<ByteBuffer>) -> Long)? = null,
        ): TaskWriting {
            // Ranks that do not mean the same file must get as far as finding that out, so it is not named yet.
            val creating = ranks.during(ranks.nested("creating a multifile"))
            val (seat, layout) = creating.create(spec, wish, store, extraChunkSize)
            val files =
                ranks.shareInProcess { rankCount ->
                    OpenFiles(spec, rankCount, ranks.nested("writing ${spec.path()}"))
                }
            return TaskWriting(ranks.during(files.activity), spec, store, seat, layout, files)
        }
    }
}

/** What is answered where there is no more to say than that all is closed. */
private val CLOSED: ByteBuffer = ByteBuffer.allocate(1)

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
