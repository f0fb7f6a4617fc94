package dev.cairn.save

import dev.cairn.comm.Worker
import dev.cairn.dedicated.SentPart
import dev.cairn.multifile.task.RankResult
import dev.cairn.multifile.task.TaskWriting
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import kotlin.time.Duration
import kotlin.time.TimeSource

/**
 * A save whose workers, or dedicated ranks, write into the store that all ranks share. It ends in two meetings: in the first the ranks
 * bring what they have written, which rank 0's worker completes and commits; in the second they learn how that ended.
 *
 * @param sent what a dedicated rank writes for this one
 */
internal class DirectSave(
    private val writing: TaskWriting,
    private val worker: Worker,
    private val written: Deferred<Result<RankResult>>,
    private val sent: SentPart?,
    private val conclude: (TaskWriting.Ending) -> CommittedSave,
    private var waited: Duration,
) : SaveUnderWay {
    private var concluded: Deferred<Result<CommittedSave?>>? = null

    @Volatile override var committed: CommittedSave? = null
        private set

    override suspend fun isReady(): Boolean {
        sent?.look()
        return (concluded ?: written).isCompleted
    }

    override suspend fun join() {
        sent?.join()
        (concluded ?: written).join()
    }

    override suspend fun meet(): Meeting {
        val begin = TimeSource.Monotonic.markNow()
        val conclusion = concluded
        if (conclusion == null) {
            concluded = conclusionOf(writing.gather(written.await()))
            waited += begin.elapsedNow()
            return Meeting.Held
        }
        val own = conclusion.await().map { it?.after(waited + begin.elapsedNow()) }
        return Meeting.Committed(writing.use { it.answer("save", COMMITTED_SAVE, own) })
    }

    private fun conclusionOf(brought: Result<TaskWriting.Ending?>): Deferred<Result<CommittedSave?>> {
        val ending = brought.getOrNull() ?: return CompletableDeferred(brought.map { null })
        return worker.start { worker.run { conclude(ending).also { committed = it } } }
    }

    override fun giveUp() {
        worker.giveUp()
        sent?.giveUp()
        close()
    }

    override fun close() = written.closeAfterwards(writing)
}
