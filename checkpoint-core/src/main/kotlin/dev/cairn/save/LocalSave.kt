package dev.cairn.save

import dev.cairn.comm.answerEach
import dev.cairn.comm.largest
import dev.cairn.comm.together
import dev.cairn.local.CopyExchange
import dev.cairn.local.HOST_COMPLETION
import dev.cairn.local.HostCompletion
import dev.cairn.local.LocalDisks
import dev.cairn.local.MakingByHosts
import dev.cairn.multifile.task.RankResult
import dev.cairn.multifile.task.TaskWriting
import dev.cairn.store.ManifestFormat
import java.nio.ByteBuffer
import kotlin.time.Duration
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred

/**
 * A save whose workers write to the disks of their hosts, until it is sealed there. The meetings, and what the workers do after each:
 *
 * 1. The ranks bring what they have written. Rank 0 completes the index, and computes the meta data of all files.
 * 2. The keepers get the meta data; each completes and forces its host's file. If there are copies, it reads the first window of it.
 * 3. For each window: the keepers exchange it. They write what they got, and read the next one; after the last, they force the copies.
 * 4. All files are complete. Rank 0 seals the save, by a note in the shared store.
 * 5. The save is sealed. What follows is a [SealedDrain].
 */
internal class LocalSave(
    private val context: SaveContext,
    private val disks: LocalDisks,
    private val save: BegunSave,
    private val writing: TaskWriting,
    private val written: Deferred<Result<RankResult>>,
    private val complete: (TaskWriting.Ending) -> ConcludedSave,
    private val making: MakingByHosts,
    private val conclusion: Conclusion,
    waited: Duration,
) : SaveUnderWay {
    private val ranks = context.ranks
    private val worker = context.worker
    private val durability = save.spec.forcePolicy()
    private val stages = Stages(context, waited).apply { after(written, ::gather) }

    /** Only on rank 0. */
    private var concluded: ConcludedSave? = null

    /** Of this rank's file; null if it keeps none. */
    private var completion: HostCompletion? = null

    /** The size of the largest file of which there are copies; 0 if there are none. */
    private var largest = 0L

    @Volatile private var copying: CopyExchange? = null

    /** The last window that was received. */
    private var copied: Deferred<Result<Unit>> = CompletableDeferred(Result.success(Unit))
    private var mayBeSealed = false

    override val committed: CommittedSave? get() = null

    override suspend fun isReady() = stages.isReady

    override suspend fun join() = stages.join()

    override suspend fun meet(): Meeting = stages.meet()

    private suspend fun gather(own: Result<RankResult>): Meeting {
        val ending = writing.gather(own)
        return stages.after(stages.onRoot(ending) { it?.let(complete) }, ::share)
    }

    private suspend fun share(ofRoot: Result<ConcludedSave?>): Meeting {
        concluded = ofRoot.getOrNull()
        val told = ranks.answerEach("save", HOST_COMPLETION, ofRoot.mapCatching { it?.let(::completions) })
        largest = told.largest
        completion = told.takeIf { disks.hosts.isKeeper }
        val completing =
            stages.ifGiven(completion) {
                worker.run {
                    disks.complete(save.number, it, durability)
                    if (largest > 0) beginCopies(it) else disks.vote(save.number, it)
                }
            }
        return stages.after(completing) { if (largest > 0) exchange(it, 0) else seal(it) }
    }

    private fun completions(concluded: ConcludedSave): List<HostCompletion> {
        val manifest = ByteBuffer.wrap(ManifestFormat.encode(concluded.manifest))
        return disks.hosts.completions(making.meta, manifest, ranks.size)
    }

    private fun beginCopies(completion: HostCompletion) {
        copying = disks.copy(save.number, completion).also { it.read(0) }
    }

    /** The window at [position] is [ready] on all hosts. */
    private suspend fun exchange(
        ready: Result<Unit>,
        position: Long,
    ): Meeting {
        ranks.together("copy files to other hosts", ready)
        val received = copying?.exchange(ranks, position).orEmpty()
        val before = copied
        val writing = stages.ifGiven(copying) { worker.run { it.write(received, position) } }
        copied = writing
        val next = position + CopyExchange.WINDOW_SIZE
        // One window may be written while the next one is exchanged.
        val preparing =
            stages.ifGiven(copying) {
                before.await().getOrThrow()
                if (next < largest) return@ifGiven worker.run { it.read(next) }
                writing.await().getOrThrow()
                worker.run { endCopies(it) }
            }
        return stages.after(preparing) { if (next < largest) exchange(it, next) else seal(it) }
    }

    private fun endCopies(copies: CopyExchange) {
        copies.end(durability)
        copying = null
        disks.vote(save.number, checkNotNull(completion))
    }

    private suspend fun seal(completed: Result<Unit>): Meeting {
        ranks.together("complete the files of the hosts", completed)
        mayBeSealed = true
        val sealing =
            stages.onRoot(Result.success(concluded)) {
                conclusion.seal(checkNotNull(it).manifest, disks.hosts.placesOf(making.meta, disks.saves))
            }
        return stages.after(sealing, ::learnOfSeal)
    }

    private suspend fun learnOfSeal(sealed: Result<Unit?>): Meeting {
        ranks.together("seal the save", sealed)
        written.closeAfterwards(writing)
        return Meeting.Sealed(
            SealedDrain(context, disks, save, completion, concluded, conclusion, stages.waited),
        )
    }

    override fun giveUp() {
        worker.giveUp()
        closeFiles()
    }

    /** What may be sealed stays on its hosts, for a restart. */
    override fun close() {
        closeFiles()
        if (!mayBeSealed) disks.discard(save.number)
    }

    private fun closeFiles() {
        written.closeAfterwards(writing)
        stages.closeAfterwards { copied.closeAfterwards { copying?.close() } }
    }
}
