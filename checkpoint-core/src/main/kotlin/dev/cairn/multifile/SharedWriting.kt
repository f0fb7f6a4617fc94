package dev.cairn.multifile

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.agree
import dev.cairn.ranks.inStep
import dev.cairn.sion.ChunkWriter
import dev.cairn.sion.MultifileLayout
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.TaskSlot
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.PositionedOutput
import java.nio.ByteBuffer

/**
 * The common steps of writing any multifile together: all ranks [begin], each opens the files of its tasks, and all [end].
 * Rank 0 plans, creates and closes; only rank 0 has the [plan].
 *
 * @property place the places of this rank's tasks
 */
internal class SharedWriting<P> private constructor(
    val ranks: Communicator,
    val spec: MultifileSpec,
    val store: BlockStore,
    val place: P,
    private val layout: MultifileLayout?,
    private val files: OpenFiles,
    private val making: FileMaking,
) : AutoCloseable {
    /** Only on rank 0. */
    val plan: MultifileLayout get() = checkNotNull(layout) { "only rank $ROOT has the plan of a multifile" }

    /** The physical file, open once for all ranks of this process. */
    fun open(fileNumber: Int): BlockFile = files.open(store, fileNumber)

    /** The physical file, which its first write opens: a rank may hand all of its bytes to another one. */
    fun output(fileNumber: Int): PositionedOutput {
        val path = spec.file(fileNumber)
        return object : PositionedOutput {
            override fun path() = path

            override fun write(position: Long, source: ByteBuffer) = open(fileNumber).write(position, source)
        }
    }

    /** The writer of a task that shares no blocks. */
    fun writer(slot: TaskSlot): ChunkWriter = ChunkWriter.of(open(slot.fileNumber()), slot)

    /**
     * Collective: [finish] writes the bytes that this rank still holds, and may change its [outcome]. When all ranks have
     * written, rank 0 calls [conclude] with the outcomes of all ranks. All ranks get its [answer].
     */
    suspend fun <T, A : Any> end(
        step: String,
        message: MessageFields<T>,
        answer: MessageFields<A>,
        outcome: Result<T>,
        finish: suspend (Result<T>) -> Result<T> = { it },
        conclude: (List<T>) -> A,
    ): A =
        use {
            val own = finish(outcome.inStep()).mapCatching { written -> written.also { rankHasWritten() } }
            ranks.agree(step, message, answer, own) { conclude(it) }
        }

    /** This rank has written. The call of the last rank of the process forces the data of all of them. */
    fun rankHasWritten() = files.rankHasWritten()

    /** Closes the physical files of the process. */
    override fun close() = files.close()

    /** On rank 0: completes the multifile, after its copies. */
    fun complete(usages: List<TaskUsage>) = making.complete(store, plan, usages)

    companion object {
        /**
         * Collective: returns when the physical files exist.
         *
         * @param request of this rank, or the failure for which it cannot take part: then all ranks throw
         */
        suspend fun <R, P : Any> begin(
            ranks: Communicator,
            spec: MultifileSpec,
            planning: Planning<R, P>,
            request: Result<R>,
            store: BlockStore,
            making: FileMaking = MakingByRoot(),
        ): SharedWriting<P> {
            // The path is not part of the activity yet: the ranks may specify different files, which is found out here.
            val creating = ranks.during(ranks.nested("creating a multifile"))
            val (place, layout) = creating.create(spec, planning, request, store, making)
            val files =
                ranks.shareInProcess { rankCount ->
                    OpenFiles(spec, rankCount, ranks.nested("writing ${spec.path()}"))
                }
            return SharedWriting(ranks.during(files.activity), spec, store, place, layout, files, making)
        }
    }
}

/** The activity of the program so far, and [step] as a part of it. */
internal fun Communicator.nested(step: String): String = if (activity.isEmpty()) step else "$activity, $step"
