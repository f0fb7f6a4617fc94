package dev.cairn.multifile.task

import dev.cairn.comm.Communicator
import dev.cairn.comm.MessageFields
import dev.cairn.comm.NOTHING
import dev.cairn.comm.ROOT
import dev.cairn.comm.refuseStep
import dev.cairn.failure.RankFailedException
import dev.cairn.failure.isOutOfStep
import dev.cairn.sion.ChunkWriter
import dev.cairn.sion.MultifileLayout
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.TaskSlot
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import kotlinx.coroutines.CancellationException
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

    /** The writer of a task that shares no blocks. */
    fun writer(slot: TaskSlot): ChunkWriter = ChunkWriter.of(open(slot.fileNumber()), slot)

    /**
     * Collective: [finish] writes the bytes that this rank still holds, and may change its [outcome]. When all ranks have
     * written, rank 0 calls [conclude] with the outcomes of all ranks. Its answer, which is not empty, is returned on all ranks.
     * If any rank failed, all throw.
     */
    suspend fun <T> end(
        step: String,
        message: MessageFields<T>,
        outcome: Result<T>,
        finish: suspend (Result<T>) -> Result<T> = { it },
        conclude: (List<T>) -> ByteBuffer,
    ): ByteBuffer =
        use {
            outcome.onFailure { if (it is CancellationException || it.isOutOfStep) throw it }
            val own = finish(outcome).mapCatching { written -> written.also { leave() } }
            val all = gather(message, own)
            answer(step, own.mapCatching { if (all == null) NOTHING else conclude(all.map(message::decode)) })
        }

    /** Ends the writing of this rank. The call of the last rank of the process forces the data of all of them. */
    fun leave() = files.leave()

    /** Collective: on rank 0, the messages of all ranks if none of them failed; null otherwise, and on the other ranks. */
    suspend fun <T> gather(
        message: MessageFields<T>,
        own: Result<T>,
    ): List<ByteBuffer>? {
        val all = ranks.gather(ROOT, own.mapCatching(message::encode).getOrElse { NOTHING })
        return all.takeIf { it.isNotEmpty() && it.all(ByteBuffer::hasRemaining) }
    }

    /** Collective: returns the answer that rank 0 has [concluded] on all ranks. If any rank failed, all throw. */
    suspend fun answer(
        step: String,
        concluded: Result<ByteBuffer>,
    ): ByteBuffer {
        val answer = ranks.broadcast(ROOT, concluded.getOrElse { NOTHING })
        if (!answer.hasRemaining()) ranks.refuseOnce(step, concluded.exceptionOrNull())
        return answer
    }

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

/** The answer of an [SharedWriting.end] whose callers need no more than that the multifile is closed. */
internal val CLOSED: ByteBuffer = ByteBuffer.allocate(1)

/** The activity of the program so far, and [step] as a part of it. */
internal fun Communicator.nested(step: String): String = if (activity.isEmpty()) step else "$activity, $step"

/** Collective: settles; but if [failure] was settled before, so that all ranks have it already, it is thrown as it is. */
internal suspend fun Communicator.settleOnce(
    step: String,
    failure: Throwable?,
) {
    try {
        settle(step, failure)
    } catch (settled: RankFailedException) {
        throw failure as? RankFailedException ?: settled
    }
}

/** Collective: as [settleOnce], where it is known that one rank has a [failure] at least, and with the name of its step. */
internal suspend fun Communicator.refuseOnce(
    step: String,
    failure: Throwable?,
): Nothing =
    try {
        refuseStep(step, failure)
    } catch (settled: RankFailedException) {
        throw failure as? RankFailedException ?: settled
    }
