package dev.cairn.multifile

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.DONE
import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.NOTHING
import dev.cairn.ranks.bring
import dev.cairn.ranks.one
import dev.cairn.sion.ChunkWriter
import dev.cairn.sion.FileMapping
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.TaskSlot
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.PositionedOutput
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * One rank's part in writing a multifile together. All ranks [begin], each uses the writer from [open], and all [end]. If
 * there is an extra task, the last one, rank 0 writes it.
 */
internal class TaskWriting private constructor(private val shared: SharedWriting<TaskSeat>) : AutoCloseable {
    private val ranks = shared.ranks
    private val spec = shared.spec
    private val store = shared.store
    private val seat = shared.place
    private val slot = seat.slot
    private val groupRanks = GroupRanks(ranks, slot.collector(), seat.others)
    private var group: GroupWriting? = null

    /** The first physical file. */
    val path: Path get() = spec.path()

    val durability: ForcePolicy get() = spec.forcePolicy()

    /** Whether this rank writes together with others, of which one collects the bytes of all. */
    val isGrouped: Boolean get() = slot.group().isPresent

    /**
     * The writer of this rank's stream.
     *
     * @param outputOf receives the writes of this rank, and of its group if it collects, in place of the file that it gets
     */
    fun open(outputOf: (PositionedOutput) -> PositionedOutput = { it }): ChunkWriter {
        val output = outputOf(shared.output(slot.fileNumber()))
        group = slot.group().map { groupWriting(it, output) }.orElse(null)
        return group?.chunks ?: ChunkWriter.of(output, slot)
    }

    private fun groupWriting(of: TaskSlot.Group, file: PositionedOutput): GroupWriting =
        when {
            of.mergedPieceSize().isPresent -> MergedWriting(groupRanks, of.mergedPieceSize().asInt, slot, file)
            else -> WindowWriting(groupRanks, of, slot, file)
        }

    /** Collective: takes the [outcome] of this rank, and returns when the multifile is closed. */
    suspend fun end(outcome: Result<TaskUsage>) {
        end("close", outcome.map { RankResult(it) }, DONE) { it.close() }
    }

    /**
     * Collective: takes the [outcome] of this rank. When all have written, [conclude] closes the multifile on rank 0; all ranks get
     * its [answer].
     */
    suspend fun <A : Any> end(
        step: String,
        outcome: Result<RankResult>,
        answer: MessageFields<A>,
        conclude: (Ending) -> A,
    ): A = shared.end(step, RANK_RESULT, answer, outcome, finish = { finish(it) }) { conclude(Ending(it)) }

    /** Collective: a task that is merged into another one has another usage than its own writer counted. */
    suspend fun finish(outcome: Result<RankResult>): Result<RankResult> {
        val usage = copied(grouped(outcome.map { it.usage }))
        return usage.mapCatching { RankResult(it, outcome.getOrThrow().note) }
    }

    /** This rank has written. The call of the last rank of the process forces the data of all of them. */
    fun rankHasWritten() = shared.rankHasWritten()

    /**
     * Collective: takes the [outcome] of this rank, after [rankHasWritten]. Returns the end of the multifile on rank 0 if all
     * ranks have written; null otherwise, and on the other ranks.
     */
    suspend fun gather(outcome: Result<RankResult>): Result<Ending?> =
        ranks.bring(RANK_RESULT, outcome).map { all -> all?.let { Ending(it) } }

    /** Closes the physical files of the process. */
    override fun close() = shared.close()

    /** The end of a multifile that all ranks have written, on rank 0. */
    inner class Ending(private val results: List<RankResult>) {
        private var extra: TaskUsage? = null

        /** Of all ranks, in their order. */
        val notes: List<ByteBuffer> get() = results.map { it.note }

        /** The physical files. */
        val mapping: FileMapping get() = shared.plan.spec().mapping()

        /** The number of physical files. */
        val fileCount: Int get() = shared.plan.fileCount()

        /** Writes the extra task by calling [write]. */
        fun writeExtra(write: (ChunkWriter) -> TaskUsage) {
            val extraSlot = shared.plan.slot(ranks.size)
            store.open(spec.file(extraSlot.fileNumber()), Access.READ_WRITE).use { file ->
                extra = write(ChunkWriter.of(file, extraSlot))
            }
        }

        /** Closes the multifile, after its copies. */
        fun close() = shared.complete(results.map { it.usage } + listOfNotNull(extra))
    }

    /** A rank that could not open its stream takes part all the same, since its group waits for it. */
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
         * @param request of this rank, or the failure for which it cannot take part: then all ranks throw
         * @param writer of this rank's bytes
         * @param bounds of the files, if the ranks choose them
         * @param extraChunkSize called on rank 0; null if there is no extra task
         */
        suspend fun begin(
            ranks: Communicator,
            spec: MultifileSpec,
            request: Result<RankRequest>,
            store: BlockStore,
            making: FileMaking = MakingByRoot(),
            writer: Writer = Writer.self(ranks),
            bounds: FileBounds = FileBounds(),
            extraChunkSize: ExtraChunkSize? = null,
        ): TaskWriting {
            val mapping = spec.mapping()
            val own =
                request.mapCatching {
                    val load = if (mapping.isAuto) Load(it.byteCount, writer) else null
                    SentRequest(mapping.choice(ranks.rank), it, load)
                }
            val planning = RankPlanning(spec, bounds, extraChunkSize)
            return TaskWriting(SharedWriting.begin(ranks, spec, planning, own, store, making))
        }
    }
}

/**
 * The result of one rank's writing.
 *
 * @property note the data from which rank 0 writes the extra task
 */
internal class RankResult(val usage: TaskUsage, val note: ByteBuffer = NOTHING)

private val RANK_RESULT =
    MessageFields("the result of a rank's writing", RankResult(USAGE.blank)) {
        RankResult(one(it.usage, USAGE), bytes(it.note))
    }
