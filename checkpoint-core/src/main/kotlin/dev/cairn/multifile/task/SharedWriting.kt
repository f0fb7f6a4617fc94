package dev.cairn.multifile.task

import dev.cairn.comm.Communicator
import dev.cairn.comm.MessageFields
import dev.cairn.comm.NOTHING
import dev.cairn.comm.ROOT
import dev.cairn.failure.RankFailedException
import dev.cairn.failure.isOutOfStep
import dev.cairn.sion.ChunkWriter
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileLayout
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.TaskSlot
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import kotlinx.coroutines.CancellationException
import java.nio.ByteBuffer

/**
 * The steps that are the same in writing any multifile together: all ranks [begin], each opens the files of its tasks, and all
 * [end]. Rank 0 plans, creates and closes; only it has the [plan].
 *
 * @property place what this rank knows of the places of its tasks
 */
internal class SharedWriting<P> private constructor(
    val ranks: Communicator,
    val spec: MultifileSpec,
    val store: BlockStore,
    val place: P,
    private val layout: MultifileLayout?,
    private val files: OpenFiles,
) {
    /** Only on rank 0. */
    val plan: MultifileLayout get() = checkNotNull(layout) { "only rank $ROOT has the plan of a multifile" }

    /** The physical file, open once for all ranks of this process. */
    fun open(fileNumber: Int): BlockFile = files.open(store, fileNumber)

    /** The writer of a task that shares no blocks. */
    fun writer(slot: TaskSlot): ChunkWriter = ChunkWriter.of(open(slot.fileNumber()), slot)

    /**
     * Collective: brings the [outcome] of this rank, after it has let [finish] write what it keeps. When all have written,
     * [conclude] gets on rank 0 what each rank brings; what it returns, which is not empty, is returned on all ranks. If any
     * rank failed, all throw.
     */
    suspend fun <B> end(
        step: String,
        message: MessageFields<B>,
        outcome: Result<B>,
        finish: suspend (Result<B>) -> Result<B> = { it },
        conclude: (List<B>) -> ByteBuffer,
    ): ByteBuffer =
        files.use {
            outcome.onFailure { if (it is CancellationException || it.isOutOfStep) throw it }
            val own = finish(outcome).mapCatching { brought -> message.encode(brought).also { files.leave() } }
            val all = ranks.gather(ROOT, own.getOrElse { NOTHING })
            val haveAllWritten = all.isNotEmpty() && all.all { it.hasRemaining() }
            val concluded = own.mapCatching { if (haveAllWritten) conclude(all.map(message::decode)) else NOTHING }
            val answer = ranks.broadcast(ROOT, concluded.getOrElse { NOTHING })
            if (!answer.hasRemaining()) ranks.settleOnce(step, concluded.exceptionOrNull())
            answer
        }

    /** On rank 0: closes the multifile, after its copies. */
    fun close(usages: List<TaskUsage>) {
        plan.buddies().forEach { Multifile.close(store, it.layout(), usages) }
        Multifile.close(store, plan, usages)
    }

    companion object {
        /**
         * Collective: returns when the physical files exist.
         *
         * @param wish what this rank wants, or why it cannot take part: then all ranks throw
         */
        suspend fun <W, P : Any> begin(
            ranks: Communicator,
            spec: MultifileSpec,
            planning: Planning<W, P>,
            wish: Result<W>,
            store: BlockStore,
        ): SharedWriting<P> {
            // Ranks that do not specify the same file must first find that out, so it is not named yet.
            val creating = ranks.during(ranks.nested("creating a multifile"))
            val (place, layout) = creating.create(spec, planning, wish, store)
            val files =
                ranks.shareInProcess { rankCount ->
                    OpenFiles(spec, rankCount, ranks.nested("writing ${spec.path()}"))
                }
            return SharedWriting(ranks.during(files.activity), spec, store, place, layout, files)
        }
    }
}

/** What is answered where there is no more to say than that all is closed. */
internal val CLOSED: ByteBuffer = ByteBuffer.allocate(1)

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
