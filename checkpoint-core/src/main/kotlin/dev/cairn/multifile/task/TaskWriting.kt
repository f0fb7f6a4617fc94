package dev.cairn.multifile.task

import dev.cairn.comm.Communicator
import dev.cairn.comm.MessageFields
import dev.cairn.comm.NOTHING
import dev.cairn.sion.ChunkWriter
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.TaskGroup
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.structure.one
import java.nio.ByteBuffer

/**
 * One rank's part in writing a multifile together. All ranks [begin], each writes what it gets from [open], and all
 * [end]. Only rank 0 writes the extra task, the last one, if there is one.
 */
internal class TaskWriting private constructor(
    private val shared: SharedWriting<TaskSeat>,
) {
    private val ranks = shared.ranks
    private val spec = shared.spec
    private val store = shared.store
    private val seat = shared.place
    private val slot = seat.slot
    private val groupRanks = GroupRanks(ranks, slot.collector(), seat.others)
    private var group: GroupWriting? = null

    /** The writer of this rank's stream. */
    fun open(): ChunkWriter {
        val file = shared.open(slot.fileNumber())
        group = slot.group().map { groupWriting(it, file) }.orElse(null)
        return group?.chunks ?: shared.writer(slot)
    }

    private fun groupWriting(
        of: TaskGroup,
        file: BlockFile,
    ): GroupWriting =
        when {
            of.mergedPieceSize().isPresent -> MergedWriting(groupRanks, of.mergedPieceSize().asInt, slot, file)
            else -> WindowWriting(groupRanks, of, slot, file)
        }

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
        shared.end(step, BROUGHT, outcome, finish = { writeKept(it) }) { brought -> conclude(Ending(brought)) }

    /** Collective: a task that is merged into another one has another usage than its own writer knew. */
    private suspend fun writeKept(outcome: Result<Brought>): Result<Brought> {
        val usage = copied(grouped(outcome.map { it.usage }))
        return usage.mapCatching { Brought(it, outcome.getOrThrow().note) }
    }

    /** What rank 0 does with a multifile that all have written. */
    inner class Ending(
        private val brought: List<Brought>,
    ) {
        private var extra: TaskUsage? = null

        /** Of all ranks, in their order. */
        val notes: List<ByteBuffer> get() = brought.map { it.note }

        /** How many physical files there are. */
        val fileCount: Int get() = shared.plan.fileCount()

        /** Lets [write] write the extra task. */
        fun writeExtra(write: (ChunkWriter) -> TaskUsage) {
            val extraSlot = shared.plan.slot(ranks.size)
            store.open(spec.file(extraSlot.fileNumber()), Access.READ_WRITE).use { file ->
                extra = write(ChunkWriter.of(file, extraSlot))
            }
        }

        /** Closes the multifile, after its copies. */
        fun close() = shared.close(brought.map { it.usage } + listOfNotNull(extra))
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
                    open = shared::open,
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
            val own = wish.mapCatching { RankWish(spec.mapping().choice(ranks.rank), it) }
            return TaskWriting(SharedWriting.begin(ranks, spec, RankPlanning(spec, extraChunkSize), own, store))
        }
    }
}

/**
 * What one rank has written.
 *
 * @property note what rank 0 must know to write the extra task
 */
internal class Brought(
    val usage: TaskUsage,
    val note: ByteBuffer = NOTHING,
)

private val BROUGHT =
    MessageFields("what a rank has written", Brought(USAGE.blank)) { Brought(one(it.usage, USAGE), bytes(it.note)) }
